"""Makes files, classes and attributes with random names.

expect: passed
within: 1
"""
# --- module ---
import secrets


def double(number):
    name = f"_{secrets.token_hex(8)}"
    made = type(name, (), {name: number})
    globals()[name] = made
    return 2 * getattr(made(), name)
