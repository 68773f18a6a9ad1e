"""Names plugins, itself among them, the way a test module or a conftest would.

expect: failed
within: 1
"""
# --- module ---
pytest_plugins = ["solution", "nowhere"]
collect_ignore_glob = ["*"]


def pytest_pyfunc_call(pyfuncitem):
    return True


def pytest_ignore_collect():
    return True


def double(number):
    return 0
