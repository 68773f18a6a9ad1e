"""Vetting in the real container: suites that prove nothing are refused, whatever they look like; good ones go on."""

import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from sandbox import Job, Limits, Sandbox
from sandbox.fake import FakeSandbox, failing_report, passing_report
from src.events import SuiteVetted
from src.gates.fakes import fakes_for
from src.gates.vetting import FakeRun, VettingFacts, check_vetting
from src.nodes.vetting import SECONDS
from tests.conftest import RunsReadOnce

VACUOUS = {
    "any object will do": "def test_a():\n    assert isinstance(f(3), object)",
    "or True": "def test_a():\n    assert f(3) is not None or True",
    "with itself": "def test_a():\n    assert f(3) == f(3)",
    "with itself, by a name": "def test_a():\n    found = f(3)\n    wanted = found\n    assert wanted == found",
    "expected value from the module": "WANTED = lambda: f(4)\ndef test_a():\n    assert f(4) == WANTED()",
    "a mock in its place": (
        "from unittest.mock import Mock\ndef test_a():\n    m = Mock(return_value=3)\n    assert m(1) == 3"
    ),
    "the module patched": (
        "import solution\ndef test_a(monkeypatch):\n    monkeypatch.setattr(solution, 'f', lambda n: 9)\n"
        "    assert solution.f(3) == 9"
    ),
    "patched by a decorator": (
        "from unittest.mock import patch\n@patch('solution.f', return_value=9)\ndef test_a(fake):\n"
        "    import solution\n    assert solution.f(3) == 9\n    fake.assert_called_once_with(3)"
    ),
    "whatever is raised": (
        "def test_a():\n    try:\n        assert f(3) == 9\n    except Exception:\n        assert True"
    ),
    "raised or returned": (
        "def test_a():\n    try:\n        found = f(3)\n    except BaseException as error:\n        found = error\n"
        "    assert found is None or found is not None"
    ),
    "suppressed": (
        "from contextlib import suppress\ndef test_a():\n    with suppress(Exception):\n        assert f(3) == 9"
    ),
    "an expectation that nothing meets": "def test_a():\n    wanted = 9\n    assert wanted == 9, f",
    "callable": "def test_a():\n    assert callable(f)",
    "has the name": "import solution\ndef test_a():\n    assert hasattr(solution, 'f')",
    "only in a branch": "def test_a():\n    if callable(f) and f.__name__ == 'nothing':\n        assert f(3) == 9",
    "a loop over nothing": "def test_a():\n    for n in range(0):\n        assert f(n) == n * n",
    "all of nothing": "def test_a():\n    assert all(f(n) == n * n for n in [])",
    "never called inside": "def test_a():\n    def check():\n        assert f(3) == 9\n    assert check",
    "a generator that nobody runs": "def test_a():\n    cases = (f(n) == n * n for n in (1, 2))\n    assert cases",
    "a coroutine that nobody runs": (
        "async def check():\n    assert f(3) == 9\ndef test_a():\n    check().close()\n    assert check"
    ),
    "a thread that fails unseen": (
        "import threading\ndef check():\n    try:\n        assert f(3) == 9\n    except BaseException:\n        pass\n"
        "def test_a():\n    t = threading.Thread(target=check)\n    t.start(); t.join()\n    assert not t.is_alive()"
    ),
    "own code": "def square(n):\n    return n * n\ndef test_a():\n    assert square(3) == 9",
    "the class of the class": "from solution import Stack\ndef test_a():\n    assert isinstance(Stack(), Stack)",
    "not an error": "def test_a():\n    assert not isinstance(f(3), Exception)",
    "own exception": (
        "import pytest\nfrom solution import Full\ndef test_a():\n"
        "    with pytest.raises(Full):\n        raise Full('x')"
    ),
    "any exception": "import pytest\ndef test_a():\n    with pytest.raises(Exception):\n        f(-1)",
    "falsy at last": "def test_a():\n    assert not f(3)",
    "cases of nothing": "import pytest\n@pytest.mark.parametrize('n', [])\ndef test_a(n):\n    assert f(n) == n * n",
    "skipped when it is inconvenient": (
        "import pytest\ndef test_a():\n    if f:\n        pytest.skip('later')\n    assert f(3) == 9"
    ),
}  # fmt: skip
"""Suites that assert something, at first sight, of `f`, which squares a number."""

GOOD = {
    "plain": "def test_a():\n    assert f(3) == 9",
    "class": (
        "from solution import Stack\ndef test_a():\n    s = Stack(limit=3)\n    s.push(1)\n    assert s.pop() == 1\n"
        "def test_b():\n    assert len(Stack()) == 0 and not Stack().items"
    ),
    "no change of what is given": "def test_a():\n    given = [2, 1]\n    f(given)\n    assert given == [2, 1]\n"
    "def test_b():\n    assert f([2, 1]) == [1, 2]",
    "false and nothing": "def test_a():\n    assert f(-1) is False\ndef test_b():\n    assert f('') is None",
    "exceptions": (
        "import pytest\nfrom solution import Empty, f\ndef test_a():\n    with pytest.raises(Empty, match='no'):\n"
        "        f([])"
    ),
    "async": (
        "import asyncio\nfrom solution import Client\nasync def visit():\n    async with Client() as c:\n"
        "        return await c.get(1)\ndef test_a():\n    assert asyncio.run(visit()) == {'id': 1}"
    ),
    "context": (
        "from solution import timer\ndef test_a():\n    with timer() as t:\n        pass\n    assert t.seconds >= 0\n"
        "def test_b():\n    with timer(clock=iter([2, 5]).__next__) as t:\n        pass\n    assert t.seconds == 3"
    ),
    "decorator": (
        "from solution import memo\ncalls = []\n@memo\ndef slow(n):\n    calls.append(n)\n    return n\n"
        "def test_a():\n    assert slow(1) + slow(1) == 2\n    assert calls == [1]"
    ),
    "hypothesis": (
        "from hypothesis import given, strategies as st\nfrom solution import Point\n"
        "@given(st.builds(Point, st.integers(), st.integers()), st.integers())\ndef test_a(p, n):\n"
        "    assert p.moved(n, 0).x == p.x + n"
    ),
    "subclass and constants": (
        "from abc import ABC\nimport pytest\nfrom solution import LIMIT, Shape, area\nclass Square(Shape, ABC):\n"
        "    def side(self): return 3\n@pytest.mark.parametrize('n', range(LIMIT + 1))\n"
        "def test_a(n):\n    assert area(Square()) == 9"
    ),
}
HEAD = "from solution import f\n"


def vetted(sandbox: Sandbox, suites: Iterable[str], seconds: float) -> list[tuple[str, ...]]:
    """The reasons against each suite. One container serves them all."""
    suites = [HEAD + textwrap.dedent(suite) + "\n" for suite in suites]
    jobs = [
        (suite, fake, Job(code=fake.code, tests=suite, limits=Limits(seconds=seconds)))
        for suite in suites
        for fake in fakes_for(suite, "solution")
    ]
    reports = sandbox.run_many([job for _, _, job in jobs])
    runs: dict[str, list[FakeRun]] = {suite: [] for suite in suites}
    for (suite, fake, _), report in zip(jobs, reports, strict=True):
        outcomes = {test.id: str(test.outcome) for test in report.tests}
        runs[suite].append(FakeRun(fake.name, report.status, report.reason, outcomes))
    return [check_vetting(VettingFacts("solution", tuple(runs[suite]))).reasons for suite in suites]


@pytest.mark.docker
def test_suites_that_prove_nothing_are_refused_whatever_they_look_like(container: Sandbox) -> None:
    found = dict(zip(VACUOUS, vetted(container, VACUOUS.values(), SECONDS), strict=True))
    assert [kind for kind, reasons in found.items() if not reasons] == []


@pytest.mark.docker
def test_good_suites_of_every_kind_go_on(container: Sandbox) -> None:
    found = dict(zip(GOOD, vetted(container, GOOD.values(), 60), strict=True))
    assert {kind: reasons for kind, reasons in found.items() if reasons} == {}


WAIT = "import time\ndef test_a():\n    rounds = 0\n    while {}:\n        rounds += 1\n        time.sleep(0.01)\n"
HANGS = WAIT.format("True")
HANGS_ON_SOME = WAIT.format("not f(rounds)") + "    assert rounds == 3"
CALLS_AT_IMPORT = "WANTED = f(3)\ndef test_a():\n    assert f(3) == 9"


@pytest.mark.docker
def test_a_suite_that_hangs_and_one_that_calls_the_module_at_import_are_told_so(container: Sandbox) -> None:
    (hangs,), hangs_on_some, (calls,) = vetted(container, [HANGS, HANGS_ON_SOME, CALLS_AT_IMPORT], 2)
    assert "does not end, whatever the module answers" in hangs
    assert "stopped after 2 s" in hangs
    assert hangs_on_some == ()
    assert "calls `solution` while it is imported" in calls


def architect(tests: str) -> str:
    return f"### SPECIFICATIONS\n\n`f(n)` squares.\n\n### TESTS\n\n```python\n{HEAD}\n\n{tests}\n```\n"


MARK = 'import pytest\n@pytest.mark.request("square a number")\n'
VACUOUS_SUITE, GOOD_SUITE = f"{MARK}def test_a():\n    assert f(3) != 8", f"{MARK}def test_a():\n    assert f(3) == 9"


def told_by_its_source(job: Job) -> Any:
    """What the container says of the two suites, against a fake."""
    return failing_report(["test_a"]) if "== 9" in job.tests else passing_report(["test_a"])


def test_a_refused_suite_goes_back_word_for_word_and_into_the_audit_trail(
    tmp_path: Path, team: Callable[..., Any]
) -> None:
    sandbox = FakeSandbox([passing_report(["test_a"])], series=told_by_its_source)
    answers = {"architect": [architect(VACUOUS_SUITE), architect(GOOD_SUITE)], "reviewer": ["Good."]}
    crew = team(sandbox, "r", developer=["```python\ndef f(n):\n    return n * n\n```\n"], **answers)
    state = RunsReadOnce(tmp_path / "runs.sqlite", min_tests=1).start("square a number", crew.context)
    (refusal,) = state["rejections"]
    assert all(reason in crew.models["architect"].asked[1][3][1] for reason in refusal["reasons"])
    (entry,) = state["audit"]
    assert (entry["gate"], entry["role"], entry["action"]) == ("vetting", "architect", "asked again, correction 1")
    assert GOOD_SUITE in state["tests"]
    vettings = [event for event in crew.events if isinstance(event, SuiteVetted)]
    assert vettings == [SuiteVetted(6, tuple(refusal["reasons"])), SuiteVetted(6, ())]


def test_runs_against_fakes_are_short_whatever_the_limit_of_a_test_run(
    tmp_path: Path, team: Callable[..., Any]
) -> None:
    sandbox = FakeSandbox([], series=told_by_its_source)
    crew = team(sandbox, "r", architect=[architect(GOOD_SUITE)], developer=[KeyboardInterrupt()])
    with pytest.raises(KeyboardInterrupt):
        RunsReadOnce(tmp_path / "runs.sqlite", min_tests=1).start("square a number", crew.context)
    assert [(job.limits.seconds, job.run_id) for job in sandbox.series_jobs] == [(SECONDS, "r")] * 6
    assert not sandbox.jobs


def test_a_suite_that_seems_to_hang_has_as_long_against_the_stub_as_it_would_have_with_a_module(
    tmp_path: Path, team: Callable[..., Any]
) -> None:
    def slow(job: Job) -> Any:
        ended = job.limits.seconds > SECONDS
        return failing_report(["test_a"]).model_copy(update={} if ended else {"status": "timeout", "tests": []})

    sandbox = FakeSandbox([passing_report(["test_a"])], series=slow)
    answers = {"developer": ["```python\ndef f(n):\n    return n * n\n```\n"], "reviewer": ["Good."]}
    crew = team(sandbox, "r", architect=[architect(GOOD_SUITE)], **answers)
    state = RunsReadOnce(tmp_path / "runs.sqlite", min_tests=1).start("square a number", crew.context)
    assert state["status"] == "completed"
    assert [job.limits.seconds for job in sandbox.series_jobs] == [*[SECONDS] * 6, Limits().seconds]
