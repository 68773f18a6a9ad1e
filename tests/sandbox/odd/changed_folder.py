"""Changes the working folder and writes there.

expect: passed
within: 1
"""
# --- module ---
import os
import tempfile


def double(number):
    os.chdir(tempfile.mkdtemp())
    with open("note", "w") as file:
        file.write(str(2 * number))
    with open("note") as file:
        return int(file.read())
