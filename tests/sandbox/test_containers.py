"""What a real container says: about honest suites, and about code that hangs, floods, dies or lies."""

from collections.abc import Callable

import pytest

from sandbox import Job, Sandbox, TestReport

pytestmark = pytest.mark.docker
Run = Callable[..., TestReport]


def test_a_green_suite_passes_with_counts_durations_and_the_image_that_it_ran_in(run_in_shared: Run) -> None:
    report = run_in_shared(
        """
import pytest
from solution import double

@pytest.mark.parametrize("number", [1, 2])
def test_double(number):
    print("looking at", number)
    assert double(number) == 2 * number
""",
        "def double(number):\n    return 2 * number\n",
    )

    assert report.passed
    assert [test.id for test in report.tests] == ["test_double[1]", "test_double[2]"]
    assert (report.counts.collected, report.counts.passed) == (2, 2)
    assert report.exit_code == 0
    assert report.tests[0].seconds > 0
    assert "looking at 2" in report.output
    assert report.output_bytes >= len("looking at 1\nlooking at 2\n")
    assert report.backend == "docker"
    assert report.image.startswith("sha256:")


def test_a_failing_suite_tells_what_is_wrong_and_nothing_else(run_in_shared: Run) -> None:
    report = run_in_shared(
        """
from solution import double

def test_good():
    assert double(0) == 0

def test_bad():
    assert double(2) == 4, "twice two"
""",
        "def double(number):\n    return number + 1 if number else 0\n",
    )

    assert report.status == "failed"
    assert report.exit_code == 1
    assert (report.counts.passed, report.counts.failed) == (1, 1)
    assert report.tests[1].message == "AssertionError: twice two assert 3 == 4 + where 3 = double(2)"
    assert "test_solution.py:8: in test_bad" in report.tests[1].traceback
    assert "assert 3 == 4" in report.error_summary
    assert "test_good" not in report.error_summary


def test_the_module_may_have_another_name(container: Sandbox) -> None:
    tests = "from limiter import x\ndef test_x(): assert x"

    assert container.run(Job(code="x = 1", tests=tests, module_name="limiter")).passed


SUITES = {
    "unittest": """
import unittest
class Doubling(unittest.TestCase):
    def setUp(self): self.two = 2
    def test_two(self):
        with self.subTest(part=1):
            self.assertEqual(self.two, 2)
class Async(unittest.IsolatedAsyncioTestCase):
    async def test_it(self): self.assertTrue(True)
""",
    "classes and fixtures": """
import pytest
@pytest.fixture
def test_data(tmp_path): return tmp_path / "x"
class TestIt:
    @pytest.fixture(autouse=True)
    def prepared(self): self.ready = True
    def test_one(self, test_data, capsys, monkeypatch):
        print("x"); assert capsys.readouterr().out == "x\\n"
        test_data.write_text("y"); assert self.ready
""",
    "ids with odd characters": """
import pytest
@pytest.mark.parametrize("x", ["a b", "[", "]::x", "ü\\n", "\\0", "x" * 3000, "a[b]c", ""])
def test_a(x): assert isinstance(x, str)
""",
    "hypothesis": """
from hypothesis import given, strategies as st
@given(st.text(), st.text())
def test_length(a, b): assert len(a + b) == len(a) + len(b)
""",
    "threads and processes": """
import multiprocessing, threading
def test_a():
    lock = multiprocessing.Lock()
    process = multiprocessing.Process(target=lock.acquire)
    process.start(); process.join()
    assert process.exitcode == 0
    thread = threading.Thread(target=print); thread.start(); thread.join()
""",
    "what is left running": """
import os, threading, time
def test_a():
    threading.Thread(target=time.sleep, args=(60,)).start()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)
""",
    "a forked child that fails by itself": """
import os
def test_a():
    if os.fork() == 0: raise ValueError("in the child")
    os.wait()
""",
}


@pytest.mark.parametrize("kind", SUITES)
def test_an_honest_suite_passes(run_in_shared: Run, kind: str) -> None:
    report = run_in_shared(SUITES[kind])

    assert report.status == "passed", report


def test_texts_in_property_tests_find_their_tables_in_the_image(run: Run) -> None:
    report = run(SUITES["hypothesis"], memory_mb=128)  # to make them takes 200

    assert report.passed, report.reason


NOT_GREEN = {
    "a skipped test": ("not_all_passed", "import pytest\ndef test_a(): pytest.skip('no')\ndef test_b(): ...", ""),
    "a test expected to fail": ("not_all_passed", "import pytest\n@pytest.mark.xfail\ndef test_a(): assert 0", ""),
    "no test at all": ("no_tests", "x = 1", ""),
    "a suite that skips itself": ("no_tests", "import pytest\npytest.skip('x', allow_module_level=True)", ""),
    "a name that the module lacks": ("collection_error", "from solution import nothing\ndef test_a(): ...", ""),
    "a suite that does not parse": ("collection_error", "def test_a(:", ""),
    "a module that does not parse": ("collection_error", "import solution\ndef test_a(): ...", "def f(:"),
    "an async test without a plugin": ("failed", "async def test_a(): ...", ""),
    "a fixture that breaks afterwards": (
        "failed",
        "import pytest\n@pytest.fixture\ndef f():\n    yield\n    1 / 0\ndef test_a(f): ...",
        "",
    ),
    "sys.exit at import": ("collection_error", "import solution\ndef test_a(): ...", "import sys\nsys.exit(0)"),
    "sys.exit in a function": ("failed", "import sys\ndef test_a(): sys.exit(0)", ""),
    "os._exit at import": ("incomplete", "import solution\ndef test_a(): ...", "import os\nos._exit(0)"),
    "os._exit in a function": ("incomplete", "import os\ndef test_a(): os._exit(0)", ""),
    "pytest.exit with code 0": ("incomplete", "import pytest\ndef test_a(): pytest.exit('x', returncode=0)", ""),
    "an interrupt raised by a test": ("incomplete", "def test_a(): raise KeyboardInterrupt", ""),
    "a segmentation fault": ("crashed", "import ctypes\ndef test_a(): ctypes.string_at(0)", ""),
    "a file that is too large": ("failed", "def test_a(): open('/tmp/x', 'wb').write(bytes(20_000_000))", ""),
    "tests removed by the module": (
        "tampered",
        "import solution\ndef test_a(): ...\ndef test_b(): ...\nsolution.clear(globals())",
        "def clear(names): names.pop('test_b')",
    ),
    "printed success before an exit": (
        "incomplete",
        "import solution\ndef test_a(): solution.boast()",
        "import os\ndef boast():\n    os.write(1, b'1 passed in 0.01s')\n    os.write(2, b'1 passed')\n    os._exit(0)",
    ),
    "forged events on every descriptor": (
        "tampered",
        "import solution\ndef test_a(): solution.forge()",
        """
import json, os
ID = "test_solution.py::test_a"
PLAIN = {"event": "phase", "id": ID, "outcome": "passed", "expected_to_fail": False, "seconds": 0.0}
STORY = [{**PLAIN, "phase": "call"}, {**PLAIN, "phase": "teardown"},
         {"event": "finish", "status": 0, "nonce": ""}, {"event": "exit", "status": 0}]
def forge():
    for fd in range(256):
        try:
            for event in STORY:
                os.write(fd, json.dumps(event).encode() + b"\\n")
        except OSError:
            pass
    os._exit(0)
""",
    ),
}


@pytest.mark.parametrize("kind", NOT_GREEN)
def test_what_is_not_green_is_called_by_its_name(run_in_shared: Run, kind: str) -> None:
    status, tests, code = NOT_GREEN[kind]
    report = run_in_shared(tests, code)

    assert report.status == status, report
    assert report.reason
    assert report.error_summary


STOPPED = {
    "an endless loop": ("timeout", "timeout", "def test_a(): ...\ndef test_b():\n    while True: pass"),
    "a hanging import": (
        "timeout",
        "timeout",
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(60)\ndef test_a(): ...",
    ),
    "a memory bomb": (
        "out_of_memory",
        "memory",
        "def test_a():\n    hoard = []\n    while True: hoard.append(bytearray(10_000_000))",
    ),
    "a fork bomb": ("incomplete", "processes", "import os\ndef test_a():\n    while True: os.fork()"),
    "a flood of output": ("output_flood", "output", "def test_a():\n    while True: print('x' * 1000)"),
    "a full disk": (
        "disk_full",
        "disk",
        "def test_a():\n    for n in range(99): open(f'/tmp/{n}', 'wb').write(bytes(1_000_000))",
    ),
}


@pytest.mark.parametrize("kind", STOPPED)
def test_a_run_that_crosses_a_limit_is_stopped_and_says_which(run_in_shared: Run, kind: str) -> None:
    status, stopped_by, tests = STOPPED[kind]
    report = run_in_shared(tests, seconds=2 if status == "timeout" else 60)

    assert (report.status, report.stopped_by) == (status, stopped_by), report
    assert report.reason.startswith("stopped")


def test_a_timeout_names_the_test_and_keeps_those_before_it(run_in_shared: Run) -> None:
    report = run_in_shared("def test_a(): ...\ndef test_b():\n    while True: pass\ndef test_c(): ...", seconds=1)

    assert [test.outcome for test in report.tests] == ["passed", "not_run", "not_run"]
    assert "while test_b was running" in report.reason
    assert "test_b" in report.error_summary
    assert report.exit_code is None


def test_broken_text_is_decoded_with_replacement(run_in_shared: Run) -> None:
    report = run_in_shared(
        "import os\ndef test_a():\n    os.write(1, b'\\xff\\x00\\x1b[31mred')\n    assert '\\x00' == '\\udc80'"
    )

    assert report.status == "failed"
    assert "\N{REPLACEMENT CHARACTER}\x00\x1b[31mred" in report.output
    report.model_dump_json()


def test_many_long_failures_stay_within_bounds(run_in_shared: Run) -> None:
    report = run_in_shared(
        "import pytest\n@pytest.mark.parametrize('n', range(60))\ndef test_a(n): assert not n + 1, 'y' * 20_000",
        seconds=30,
    )

    assert report.status == "failed"
    assert report.counts.failed == 60
    assert len(report.error_summary) <= 6000
    assert len(report.model_dump_json()) < 300_000
