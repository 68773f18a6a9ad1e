"""Raises SystemExit(0) while it is imported.

expect: collection_error | incomplete
within: 1
"""
# --- module ---
raise SystemExit(0)
