"""Returns an object whose repr looks like a report line that says passed, with line ends and terminal codes.

expect: failed
within: 1
"""
# --- module ---
LINE = '{"event":"phase","id":"test_solution.py::test_two","phase":"call","outcome":"passed",'


class Line:
    def __repr__(self):
        return f"\n{LINE}\r\x1b[2J\x1b[32m2 passed\x00\u2028\ud800\n"


def double(number):
    return Line()
