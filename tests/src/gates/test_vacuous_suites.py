"""Suites that would prove nothing or do harm, each refused with its reason; and their near misses, which pass."""

import pytest

from src.gates.suite import SuiteFacts, check_suite

FACTS = SuiteFacts("solution", min_tests=1)
HEAD = "import pytest, unittest, time, os, sys\nfrom unittest import mock\nfrom solution import add, Stack, LIMIT\n\n"


def reasons(body: str) -> str:
    return "\n".join(check_suite(HEAD + body, FACTS).reasons)


def body_of(*lines: str) -> str:
    """A test with these lines."""
    return "def test_it():\n" + "".join(f"    {line}\n" for line in lines)


METHOD = "class Sums(unittest.TestCase):\n    def test_it(self):\n        {}\n"

REFUSED = [
    # nothing is checked
    (body_of("pass"), "has no assertion"),
    (body_of("add(1, 2)"), "has no assertion"),
    (body_of('"""Adds."""', "..."), "has no assertion"),
    (body_of("print(add(1, 2))"), "has no assertion"),
    (body_of("add(1, 2) == 3"), "write `assert` before the comparison on line 6"),
    (body_of("return add(1, 2) == 3"), "in the place of `return`"),
    (body_of("pytest.raises(ValueError)", "add(1, 2)"), "stands alone"),
    (body_of("m = mock.Mock()", "add(m, 1)", "m.assert_called_once"), "named but not called"),
    (body_of("def inner():", "    assert add(1, 2) == 3"), "that could fail is reached"),
    (body_of("return", "assert add(1, 2) == 3"), "that could fail is reached"),
    (body_of("if False:", "    assert add(1, 2) == 3"), "that could fail is reached"),
    (body_of("while 0:", "    assert add(1, 2) == 3"), "that could fail is reached"),
    (body_of("for n in []:", "    assert add(n, 2) == 3"), "that could fail is reached"),
    (body_of("for n in range(0):", "    assert add(n, 2) == 3"), "that could fail is reached"),
    (body_of("check()") + "def check():\n    add(1, 2)\n", "has no assertion"),
    (
        "from hypothesis import given, strategies as st\n@given(st.integers())\ndef test_it(n):\n    add(n, 1)\n",
        "no asser",
    ),
    (body_of("assert callable(add)"), "only that a name exists"),
    (body_of("assert add is not None"), "only that a name exists"),
    (body_of("assert Stack"), "only that a name exists"),
    ("import solution\n" + body_of("assert hasattr(solution, 'add')"), "only that a name exists"),
    # nothing of the module is checked
    (body_of("assert sorted([2, 1]) == [1, 2]"), "uses nothing of `solution`"),
    (body_of("x = 3", "assert x == 3"), "uses nothing of `solution`"),
    ("async " + body_of("assert add(1, 2) == 3"), "is `async`"),
    (body_of("yield add", "assert add(1, 2) == 3"), "yields"),
    # tautologies
    (body_of("add(1, 2)", "assert True"), "it is a constant"),
    (body_of("add(1, 2)", "assert 1"), "it is a constant"),
    (body_of("add(1, 2)", "assert 'it works'"), "it is a constant"),
    (body_of("add(1, 2)", "assert not False"), "it is a constant"),
    (body_of("add(1, 2)", "assert not []"), "it is a constant"),
    (body_of("add(1, 2)", "assert 1 + 1 == 2"), "compares only literals"),
    (body_of("assert (add(1, 2) == 3, 'three')"), "a tuple is never false"),
    (body_of("assert [add(1, 2) == 3]"), "it is not empty"),
    (body_of("assert (add(n, 1) == n + 1 for n in range(3))"), "use `all(…)`"),
    (body_of("assert lambda: add(1, 2) == 3"), "call it"),
    (body_of("x = add(1, 2)", "assert x == x"), "both sides are the same"),
    (body_of("x = add(1, 2)", "assert x is x"), "both sides are the same"),
    (body_of("x = add([1], [2])", "assert len(x) == len(x)"), "both sides are the same"),
    (body_of("x = add(1, 2)", "assert x in (3, x)"), "compared with itself"),
    (body_of("assert len(add([1], [2])) >= 0"), "no size is below zero"),
    (body_of("assert 0 <= len(add([1], [2]))"), "no size is below zero"),
    (body_of("assert len(add([1], [2])) > -1"), "no size is below zero"),
    (body_of("assert abs(add(1, 2)) >= 0"), "no size is below zero"),
    (body_of("assert add(1, 2) == 3 or True"), "`or True` makes it so"),
    (body_of("assert add(1, 2) == 3 or 4"), "`or 4` makes it so"),
    (body_of("x = add(1, 2)", "assert x is None or x is not None"), "the opposite of the other"),
    (body_of("x = add(1, 2)", "assert x > 0 or x <= 0"), "the opposite of the other"),
    (body_of("x = add(1, 2)", "assert x or not x"), "the opposite of the other"),
    (body_of("assert isinstance(add(1, 2), object)"), "everything is an `object`"),
    (body_of("assert all(add(n, 1) for n in [])"), "nothing in it"),
    (METHOD.format("self.assertTrue(True)"), "it is a constant"),
    (METHOD.format("x = add(1, 2); self.assertEqual(x, x)"), "both sides are the same"),
    (METHOD.format("self.assertFalse(None)"), "it is a constant"),
    (METHOD.format("self.assertGreaterEqual(len(add([1], [2])), 0)"), "no size is below zero"),
    (METHOD.format("self.assertIsInstance(add(1, 2), object)"), "everything is an `object`"),
    (METHOD.format("self.assertTrue(add(1, 2), 3)"), "is only a message"),
    # failures that go unnoticed
    (body_of("with pytest.raises(Exception):", "    add(1, None)"), "any error satisfies"),
    (body_of("with pytest.raises(BaseException):", "    add(1, None)"), "any error satisfies"),
    (body_of("with pytest.raises((ValueError, Exception)):", "    add(1, None)"), "any error satisfies"),
    (body_of("with pytest.raises(Exception, match='.*'):", "    add(1, None)"), "any error satisfies"),
    (body_of("with pytest.raises(expected_exception=Exception):", "    add(1, None)"), "any error satisfies"),
    (body_of("with pytest.raises(Exception) as told:", "    add(1, None)"), "any error satisfies"),
    (body_of("pytest.raises(Exception, add, 1, None)"), "any error satisfies"),
    (METHOD.format("self.assertRaises(Exception, add, 1, None)"), "any error satisfies"),
    (body_of("try:", "    assert add(1, 2) == 3", "except Exception:", "    pass"), "swallows the assertion"),
    (body_of("try:", "    assert add(1, 2) == 3", "except:", "    print('no')"), "swallows the assertion"),
    (body_of("try:", "    assert add(1, 2) == 3", "except AssertionError:", "    return"), "swallows the assertion"),
    (
        body_of("try:", "    add(1, None)", "    assert False", "except Exception:", "    pass"),
        "swallows the assertion",
    ),
    (
        body_of("try:", "    add(1, None)", "    pytest.fail('no')", "except BaseException:", "    pass"),
        "swallows the asser",
    ),
    (body_of("try:", "    assert add(1, 2) == 3", "finally:", "    return"), "swallows the assertion"),
    (
        "from contextlib import suppress\n" + body_of("with suppress(Exception):", "    assert add(1, 2) == 3"),
        "swallows the assertion",
    ),
    # tests that are left out
    (body_of("pytest.skip('slow')", "assert add(1, 2) == 3"), "leaves a test out"),
    (body_of("assert add(1, 2) == 3", "pytest.xfail('no')"), "leaves a test out"),
    ("@pytest.mark.skip\n" + body_of("assert add(1, 2) == 3"), "leaves a test out"),
    ("@pytest.mark.skipif(True, reason='no')\n" + body_of("assert add(1, 2) == 3"), "leaves a test out"),
    ("@pytest.mark.xfail(strict=True)\n" + body_of("assert add(1, 2) == 3"), "leaves a test out"),
    ("pytestmark = pytest.mark.skip\n" + body_of("assert add(1, 2) == 3"), "leaves a test out"),
    (
        "from pytest import importorskip as maybe\nmaybe('yaml')\n" + body_of("assert add(1, 2) == 3"),
        "leaves a test out",
    ),
    ("@unittest.expectedFailure\n" + body_of("assert add(1, 2) == 3"), "leaves a test out"),
    (METHOD.format("self.assertEqual(add(1, 2), 3); self.skipTest('no')"), "leaves a test out"),
    (body_of("assert add(1, 2) == 3") * 2, "hides the test of the same name on line 5"),
    (
        "class TestA:\n" + 2 * "    def test_a(self):\n        assert add(1, 2) == 3\n",
        "hides the test of the same name",
    ),
    (2 * "class TestA:\n    def test_a(self):\n        assert add(1, 2) == 3\n", "hides the test of the same name"),
    # what no suite may do
    (body_of("assert add(1, 2) == 3", "time.sleep(2)"), "sleeps longer than a second"),
    (
        "from time import sleep as nap\n" + body_of("assert add(1, 2) == 3", "nap(60 * 2)"),
        "sleeps longer than a second",
    ),
    ("WAIT = 5\n" + body_of("assert add(1, 2) == 3", "time.sleep(WAIT)"), "sleeps longer than a second"),
    (body_of("assert add(1, 2) == 3", "__import__('time').sleep(60)"), "sleeps longer than a second"),
    ("import urllib.request as web\n" + body_of("assert add(web.urlopen('http://x'), 2)"), "needs a network"),
    ("import socket\n" + body_of("assert add(socket.socket(), 2)"), "needs a network"),
    ("import subprocess\n" + body_of("assert add(subprocess.run(['ls']), 2)"), "starts or ends a process"),
    (body_of("assert add(os.system('ls'), 2)"), "starts or ends a process"),
    (body_of("open('out.txt', 'w').write(str(add(1, 2)))", "assert add(1, 2) == 3"), "writes outside `tmp_path`"),
    (body_of("open('/etc/x', mode='a')", "assert add(1, 2) == 3"), "writes outside `tmp_path`"),
    (body_of("path = '/tmp/x'", "open(path, 'wb')", "assert add(1, 2) == 3"), "writes outside `tmp_path`"),
    (body_of("os.makedirs('made')", "assert add(1, 2) == 3"), "writes outside `tmp_path`"),
    ("from pathlib import Path\n" + body_of("Path('x').write_text('')", "assert add(1, 2) == 3"), "writes outside"),
    ("from pathlib import Path\n" + body_of("(Path.home() / 'x').touch()", "assert add(1, 2) == 3"), "writes outside"),
    ("import shutil\n" + body_of("shutil.rmtree('/tmp')", "assert add(1, 2) == 3"), "writes outside"),
    ("pytest_plugins = ['x']\n" + body_of("assert add(1, 2) == 3"), "loads no plugins"),
    ("def pytest_collection_modifyitems(items):\n    pass\n" + body_of("assert add(1, 2) == 3"), "is a hook of pytest"),
    # what is not there
    (
        "import numpy as np\n" + body_of("assert add(1, 2) == 3"),
        "`numpy` is not installed where the suite runs; use lists",
    ),
    ("from .helpers import x\n" + body_of("assert add(1, 2) == 3"), "one file of its own"),
    ("def test_it(mocker):\n    assert add(1, mocker) == 3\n", "a fixture of a plugin"),
    # something else in the place of the module
    ("def add(a, b):\n    return a + b\n" + body_of("assert add(1, 2) == 3"), "defines `add` itself"),
    ("class Stack:\n    pass\n" + body_of("assert Stack() != add(1, 2)"), "defines `Stack` itself"),
    ("add = lambda a, b: a + b\n" + body_of("assert add(1, 2) == 3"), "defines `add` itself"),
    (body_of("def add(a, b):", "    return 3", "assert add(1, 2) == 3"), "defines `add` itself"),
    ("sys.modules['solution'] = mock.Mock()\n" + body_of("assert add(1, 2) == 3"), "puts a fake in the place"),
    (
        "def test_it(monkeypatch):\n    monkeypatch.setitem(sys.modules, 'solution', 1)\n    assert add(1, 2) == 3\n",
        "puts a fake in the place",
    ),
]

PASSED = [
    body_of("assert add(1, 2) == 3"),
    body_of("assert add(1, 2)"),
    body_of("assert not add(0, 0)"),
    body_of("assert add('a', 'b') == add('a', 'b')"),
    body_of("assert Stack() == Stack()"),
    body_of("assert len(add([1], [2])) > 0"),
    body_of("assert len(add([1], [2])) >= 1"),
    body_of("assert add(1, 2) >= 0"),
    body_of("assert add(1, 2) in (3, 3.0)"),
    body_of("x = add(1, 2)", "assert x == 3 or x == 4"),
    body_of("assert LIMIT"),
    body_of("assert LIMIT is not None"),
    body_of("assert callable(add(1, 2))"),
    body_of("assert all(add(n, 1) == n + 1 for n in range(3))"),
    body_of("if add(1, 2) != 3:", "    pytest.fail('not three')"),
    body_of("if add(1, 2) != 3:", "    raise AssertionError('not three')"),
    body_of("with pytest.raises(ValueError):", "    add(1, None)"),
    body_of("with pytest.raises(Exception, match='none'):", "    add(1, None)"),
    body_of("with pytest.raises(Exception) as told:", "    add(1, None)", "assert told.type is ValueError"),
    body_of("pytest.raises(ValueError, add, 1, None)"),
    "@pytest.mark.parametrize('error', [pytest.raises(ValueError)])\ndef test_it(error):\n"
    "    with error:\n        add(1, None)\n",
    body_of("try:", "    add(1, None)", "except ValueError:", "    pass", "else:", "    assert False"),
    body_of("try:", "    add(1, None)", "    assert False", "except ValueError:", "    pass"),
    body_of("try:", "    assert add(1, 2) == 3", "except Exception as error:", "    pytest.fail(str(error))"),
    body_of(
        *("errors = []", "def work():", "    try:", "        assert add(1, 2) == 3"),
        *("    except Exception as error:", "        errors.append(error)", "work()", "assert not errors"),
    ),
    body_of("m = mock.Mock()", "add(m, 1)", "m.assert_called_once_with(1)"),
    body_of("check(add)") + "def check(candidate):\n    assert candidate(1, 2) == 3\n",
    "@pytest.fixture\ndef stack():\n    return Stack()\n\ndef test_it(stack):\n    assert stack.size() == 0\n",
    "class TestStack:\n    def setup_method(self):\n        self.stack = Stack()\n"
    "    def test_it(self):\n        assert self.stack.size() == 0\n",
    "from hypothesis import given, strategies as st\n@given(st.integers())\ndef test_it(n):\n"
    "    assert add(n, 0) == n\n",
    "import asyncio\n" + body_of("assert asyncio.run(add(1, 2)) == 3"),
    "class TestIt(unittest.IsolatedAsyncioTestCase):\n    async def test_it(self):\n"
    "        self.assertEqual(await add(1, 2), 3)\n",
    METHOD.format("self.assertTrue(add(1, 2) == 3, 'three')"),
    METHOD.format("self.assertEqual(add(1, 2), 3)"),
    body_of("time.sleep(0.05)", "assert add(1, 2) == 3"),
    "def test_it(monkeypatch):\n    monkeypatch.setattr(time, 'sleep', lambda seconds: None)\n"
    "    assert add(1, 2) == 3\n",
    "def test_it(tmp_path):\n    path = tmp_path / 'x'\n    path.write_text('1')\n    assert add(path, 2) == 3\n",
    "def test_it(tmp_path):\n    with open(tmp_path / 'x', 'w') as file:\n        file.write('1')\n"
    "    assert add(1, 2)\n",
    "def test_it(tmp_path, monkeypatch):\n    monkeypatch.chdir(tmp_path)\n    open('x', 'w').close()\n"
    "    assert add(1, 2)\n",
    "import tempfile\n"
    + body_of("with tempfile.TemporaryDirectory() as d:", "    os.mkdir(d + '/x')", "    assert add(d, 1)"),
    body_of("assert 'a-b'.replace('-', '+') == add('a', 'b')"),
    "import urllib.parse\n" + body_of("assert urllib.parse.quote('ä') == add(1, 2)"),
    "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n" + body_of("assert add(1, 2) == 3"),
    "class TestA:\n    def test_it(self):\n        assert add(1, 2) == 3\n"
    "class TestB:\n    def test_it(self):\n        assert add(2, 2) == 4\n",
    "def adder(a, b):\n    return a + b\n" + body_of("assert add(1, 2) == adder(1, 2)"),
    "class Fake:\n    def add(self, item):\n        return 1\n" + body_of("assert add(Fake(), 2) == 3"),
]


@pytest.mark.parametrize(("body", "reason"), REFUSED, ids=range(len(REFUSED)))
def test_a_suite_that_proves_nothing_is_refused_and_told_why(body: str, reason: str) -> None:
    assert reason in reasons(body)


@pytest.mark.parametrize("body", PASSED, ids=range(len(PASSED)))
def test_a_near_miss_passes(body: str) -> None:
    assert reasons(body) == ""


def test_a_reason_names_the_test_and_the_line() -> None:
    (reason,) = check_suite(HEAD + body_of("add(1, 2)", "assert True"), FACTS).reasons
    assert reason.startswith("`test_it`, line 7: `assert True` always holds")


def test_packages_that_are_installed_may_be_imported() -> None:
    suite = f"{HEAD}import numpy\n{body_of('assert add(1, 2) == 3')}"
    assert check_suite(suite, SuiteFacts("solution", min_tests=1, packages=frozenset({"numpy"}))).passed
    assert check_suite(suite, SuiteFacts("solution", min_tests=1, packages=None)).passed
