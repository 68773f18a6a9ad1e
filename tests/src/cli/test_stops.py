"""How a run ends that did not come to its verdict: the exit code, and what the user reads there."""

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from sandbox import Job, TestReport
from sandbox.fake import failing_report, passing_report
from src.cli.execute import execute
from src.cli.request import Source
from src.cli.run import RunOptions, make_plan
from src.report import RunReport
from tests.src.cli.conftest import ARCHITECT, NO_PATCH, REVIEW, WRONG, Bench

HEAD = "### DIAGNOSIS\n\nPerhaps.\n\n### PATCHED_CODE\n\n"
EXITS = "```python\nimport os\n\ndef answer():\n    os._exit(0)\n```\n"
CLAIM = (
    "### DIAGNOSIS\n\nThe test is wrong.\n\n### FAULT\n\ntests\n\n### DISPUTED_TESTS\n\n"
    "- `test_answer`: the specification says 41; the test expects 42\n"
)
KEEP = "### DECISION\n\nkeep\n\n### REASON\n\nThe test says what was asked.\n"

BEGUN = [("architect", ARCHITECT), ("developer", WRONG)]


def patches(*numbers: int) -> Iterator[tuple[str, str]]:
    for number in numbers:
        yield "debugger", HEAD + WRONG.replace("41", str(number))


@pytest.fixture
def ended(bench: Bench, transcript: Callable[..., Path], tmp_path: Path) -> Callable[..., tuple[RunReport, str, str]]:
    """`ended(replies, max_debug_iterations=1)`: the report, what was shown, and what UNVERIFIED.md says."""

    def run(replies: list[tuple[str, Any]], **settings: Any) -> tuple[RunReport, str, str]:
        bench.settings = bench.settings.model_copy(update=settings)
        script = transcript([*replies, ("reviewer", REVIEW)])
        options = RunOptions(out=tmp_path / "out")
        plan = make_plan(Source(replay=script), options, bench.settings, BytesIO())
        report = execute(plan, bench.workshop)
        return report, bench.output.getvalue(), (tmp_path / "out" / "UNVERIFIED.md").read_text()

    return run


def test_an_author_without_a_correction_left(ended: Callable[..., Any]) -> None:
    report, shown, kept = ended([BEGUN[0], *[("developer", "Not now.")] * 3])
    assert report.exit_code == 1
    assert "UNVERIFIED: the developer used up its corrections: The reply holds no Python module." in shown
    assert "developer, format" in kept
    assert kept.rstrip().endswith("gave up")


def test_no_iteration_left(ended: Callable[..., Any], bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench.sandbox, "run", lambda job: failing_report(message=job.code))
    report, shown, _kept = ended([*BEGUN, *patches(1, 2)], max_debug_iterations=2)
    assert (report.exit_code, report.iterations) == (1, 2)
    assert "UNVERIFIED: failed: 0 of 1 tests passed in the best candidate after 2 iterations" in shown


def test_the_same_failure_three_times(ended: Callable[..., Any]) -> None:
    report, shown, kept = ended([*BEGUN, *patches(1, 2, 3, 4)], max_debug_iterations=9)
    assert (report.exit_code, report.iterations) == (1, 2)
    told = "0 of 1 tests passed in the best candidate after 2 iterations; the same failure came three times"
    assert told in shown
    assert told in kept
    assert "* debugger, repetition: the same failure came twice: asked for a rewrite" in kept


def test_a_suspicion_that_came_again(ended: Callable[..., Any], bench: Bench) -> None:
    report, shown, kept = ended([BEGUN[0], *[("developer", EXITS)] * 2], max_corrections=9)
    assert report.exit_code == 1
    assert "the developer wrote again what it had been asked about: suspicion: line 4" in shown
    assert "gave up" in kept
    assert not bench.sandbox.jobs


def test_no_dispute_left(ended: Callable[..., Any], bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench.sandbox, "run", lambda _job: failing_report(["test_answer"]))
    replies = [*BEGUN, ("debugger", CLAIM), ("architect", KEEP), *[("debugger", CLAIM)] * 3]
    report, shown, kept = ended(replies, max_disputes=1, max_debug_iterations=4)
    assert report.exit_code == 1
    assert "the debugger used up its corrections: No dispute is left" in shown
    assert "1 of 1 are used" in kept
    assert "Disputed tests" in kept


def test_a_test_that_ends_by_chance(ended: Callable[..., Any], bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def again(jobs: list[Job]) -> list[TestReport]:
        return [passing_report() if job.order_seed else failing_report() for job in jobs]

    monkeypatch.setattr(bench.sandbox, "run_many", again)
    _report, shown, kept = ended([*BEGUN, ("debugger", NO_PATCH)], max_debug_iterations=1)
    for told in (shown, kept):
        assert "flaky: test_it; the same module ended otherwise when it was tested again at once" in told
