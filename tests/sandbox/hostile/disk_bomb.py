"""Fills the temporary folder.

expect: disk_full
within: 1
"""
# --- module ---
def double(number):
    for name in range(99):
        with open(f"/tmp/{name}", "wb") as file:
            file.write(bytes(1_000_000))
