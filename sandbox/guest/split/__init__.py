"""Split mode: the suite in one process, the module in another, and between them a channel that carries only data.

The module cannot touch pytest, the suite's assertions or the report, because it is not there. `stub.install` is the
door of the test process, `modulehost.py` the script of the other one.
"""
