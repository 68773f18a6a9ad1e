"""Turns every warning into an error and warns wherever it can.

expect: failed
within: 1
"""
# --- module ---
import sys
import warnings

warnings.simplefilter("error")
sys.warnoptions.append("error")


def double(number):
    warnings.simplefilter("error")
    warnings.warn("doubling is deprecated", DeprecationWarning, stacklevel=1)
    return 2 * number
