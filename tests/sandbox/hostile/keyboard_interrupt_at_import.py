"""Raises KeyboardInterrupt while it is imported.

expect: incomplete | collection_error
within: 1
"""
# --- module ---
raise KeyboardInterrupt
