"""Asks pytest to end the session with exit code 0 while the suite is being collected.

expect: incomplete | collection_error
within: 1
"""
# --- module ---
import pytest

pytest.exit("all is well", returncode=0)
