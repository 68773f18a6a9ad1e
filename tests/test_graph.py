"""The team as a graph: its picture, and its courses with models and a sandbox that answer as told."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandbox import Job, SandboxError, TestReport
from sandbox.fake import FakeSandbox, failing_report, passing_report
from src.errors import ConfigurationError, ProviderError
from src.events import CorrectionAsked, NodeFinished, NodeStarted
from src.failures.history import strategy
from src.graph import build_graph
from src.reply import Reply, text_of
from src.runs import Runs, longest, new_run_id
from src.state import TeamState
from tests.conftest import Answers, RunsReadOnce

PICTURE = """\
graph TD;
	__start__ --> architect;
	architect -.-> __end__;
	architect -.-> assumptions;
	architect -.-> developer;
	architect -.-> reader;
	assumptions -.-> __end__;
	assumptions -.-> developer;
	assumptions -.-> person;
	debugger -.-> dispute;
	debugger -.-> reviewer;
	debugger -.-> test_runner;
	developer -.-> __end__;
	developer -.-> test_runner;
	dispute -.-> debugger;
	dispute -.-> reviewer;
	dispute -.-> test_runner;
	person -.-> architect;
	person -.-> assumptions;
	reader --> assumptions;
	test_runner -.-> debugger;
	test_runner -.-> reviewer;
	reviewer --> __end__;
	person -.-> person;
"""

SUITE = (
    "import pytest\nfrom solution import add\n\n"
    '@pytest.mark.request("add numbers")\ndef test_add():\n    assert add(1, 2) == 3\n'
)
DESIGN = f"### SPECIFICATIONS\n\n`add(a, b)` adds.\n\n### TESTS\n\n```python\n{SUITE}```\n"
WRONG = "def add(a, b):\n    return a - b\n"
WORSE = "def add(a, b):\n    return None\n"
WORST = "def add(a, b):\n    return 0\n"
RIGHT = "def add(a, b):\n    return a + b\n"


def module(code: str) -> str:
    return f"```python\n{code}```\n"


def patch(code: str, diagnosis: str = "It subtracts.") -> str:
    return f"### DIAGNOSIS\n\n{diagnosis}\n\n### PATCHED_CODE\n\n{module(code)}"


def measure(job: Job) -> TestReport:
    """A sandbox that knows the right module when it sees it."""
    return passing_report(["test_add"]) if job.code == RIGHT else failing_report(["test_add"])


def fails(_job: Job) -> TestReport:
    """What any fake of the module comes to."""
    return failing_report(["test_add"])


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return RunsReadOnce(tmp_path / "runs.sqlite", max_corrections=2, min_tests=1)


def test_the_picture_is_the_design() -> None:
    drawn = build_graph().get_graph().draw_mermaid(with_styles=False)
    assert drawn == PICTURE


def test_green_at_once(runs: Runs, team: Callable[..., Any]) -> None:
    crew = team(FakeSandbox(measure), "r", architect=[DESIGN], developer=[module(RIGHT)], reviewer=["Good."])
    state = runs.start("add numbers", crew.context)
    assert state["best"]["test_results"]["status"] == "passed"
    assert (state["iteration"], state["status"], state["review_summary"]) == (0, "completed", "Good.")
    assert [event.node for event in crew.events if isinstance(event, NodeStarted)] == [
        "architect",
        "developer",
        "test_runner",
        "reviewer",
    ]


def test_a_red_candidate_is_healed(runs: Runs, team: Callable[..., Any]) -> None:
    crew = team(
        FakeSandbox(measure),
        "r",
        architect=[DESIGN],
        developer=[module(WRONG)],
        debugger=[patch(RIGHT)],
        reviewer=["Good."],
    )
    state = runs.start("add numbers", crew.context)
    assert state["best"]["code"] == RIGHT
    assert state["debug_history"] == ["Iteration 1: It subtracts."]
    told = crew.models["debugger"].asked[0][1][1]
    assert WRONG in told
    assert "def test_add():\n    assert add(1, 2) == 3" in told
    assert "import add" not in told, "of the suite it sees what failed"


def test_the_cap_ends_a_run_that_does_not_heal_and_the_best_candidate_is_kept(
    runs: Runs, team: Callable[..., Any]
) -> None:
    reports = {
        WRONG: failing_report(["a"], "b"),
        WORSE: failing_report(["a"], "bcd", "2"),
        WORST: failing_report(["a"], "bcd", "3"),
    }
    crew = team(
        FakeSandbox(lambda job: reports[job.code], series=fails),
        "r",
        architect=[DESIGN],
        developer=[module(WRONG)],
        debugger=[patch(WORSE), patch(WORST)],
        reviewer=["It does not work."],
    )
    state = runs.start("add numbers", crew.context, max_iterations=2)
    assert state["iteration"] == 2
    assert state["best"]["code"] == WORSE, "most tests passed, and the earlier of two equals"
    assert "UNVERIFIED" in crew.models["reviewer"].asked[0][1][1]


def test_a_refused_reply_goes_back_to_its_author_with_the_reason(runs: Runs, team: Callable[..., Any]) -> None:
    crew = team(
        FakeSandbox(measure),
        "r",
        architect=["I cannot do that now.", DESIGN],
        developer=[Reply(module(RIGHT), "truncated"), module("def other():\n    pass\n"), module(RIGHT)],
        reviewer=["Good."],
    )
    state = runs.start("add numbers", crew.context)
    assert state["best"]["test_results"]["status"] == "passed"
    assert [refusal["role"] for refusal in state["rejections"]] == ["architect", "developer", "developer"]
    corrections = [event for event in crew.events if isinstance(event, CorrectionAsked)]
    assert [(event.role, event.number) for event in corrections] == [
        ("architect", 1),
        ("developer", 1),
        ("developer", 2),
    ]
    second = crew.models["architect"].asked[1]
    assert second[2] == ("ai", "I cannot do that now.")
    assert state["rejections"][0]["reasons"][0] in second[3][1]


def test_a_call_is_counted_once_even_when_its_reply_was_of_no_use(runs: Runs, team: Callable[..., Any]) -> None:
    crew = team(
        FakeSandbox(measure),
        "r",
        architect=["", DESIGN],
        developer=[module(WRONG)],
        debugger=["", patch(RIGHT)],
        reviewer=["Good."],
    )
    runs.start("add numbers", crew.context)
    roles = [call["role"] for call in runs.saved("r").calls]
    assert roles == ["architect", "architect", "developer", "debugger", "debugger", "reviewer"]


EXITS = "import os\n\ndef add(a, b):\n    os._exit(0)\n"


def test_a_suspicion_is_named_to_its_author_and_a_candidate_without_it_is_tested(
    runs: Runs, team: Callable[..., Any]
) -> None:
    developer = [module(EXITS), module(RIGHT)]
    crew = team(FakeSandbox(measure), "r", architect=[DESIGN], developer=developer, reviewer=["Good."])
    state = runs.start("add numbers", crew.context)
    assert state["best"]["code"] == RIGHT
    assert "line 4, `os._exit(0)`" in crew.models["developer"].asked[1][3][1]
    assert [(entry["role"], entry["gate"], entry["action"]) for entry in state["audit"]] == [
        ("developer", "candidate", "asked again, correction 1")
    ]


def test_a_suspicion_that_comes_again_ends_the_developers_part_although_corrections_are_left(
    tmp_path: Path, team: Callable[..., Any]
) -> None:
    runs = RunsReadOnce(tmp_path / "runs.sqlite", max_corrections=9, min_tests=1)
    sandbox = FakeSandbox(measure, series=fails)
    crew = team(sandbox, "r", architect=[DESIGN], developer=[module(EXITS), module(EXITS)])
    state = runs.start("add numbers", crew.context)
    assert state["status"] == "gave_up"
    assert not sandbox.jobs, "it was not run"
    assert state["rejections"][-1]["reasons"][0].startswith("suspicion: line 4, `os._exit(0)`")
    assert [entry["action"] for entry in state["audit"]] == ["asked again, correction 1", "gave up"]


@pytest.mark.parametrize(("role", "nodes"), [("architect", 1), ("developer", 2)])
def test_an_author_without_a_usable_text_ends_the_run(
    runs: Runs, team: Callable[..., Any], role: str, nodes: int
) -> None:
    answers = {"architect": [DESIGN], role: [""] * 3}
    crew = team(FakeSandbox(measure), "r", **answers)
    state = runs.start("add numbers", crew.context)
    assert state["status"] == "gave_up"
    assert "best" not in state
    assert len(state["rejections"]) == 3
    assert len([event for event in crew.events if isinstance(event, NodeFinished)]) == nodes


def test_a_debugger_without_a_usable_patch_leaves_the_best_candidate(runs: Runs, team: Callable[..., Any]) -> None:
    crew = team(
        FakeSandbox(measure),
        "r",
        architect=[DESIGN],
        developer=[module(WRONG)],
        debugger=[""] * 3,
        reviewer=["It does not work."],
    )
    state = runs.start("add numbers", crew.context)
    assert state["best"]["code"] == WRONG
    assert state["iteration"] == 1
    assert state["debug_history"][0].startswith("Iteration 1: no usable patch: ")


def healing(sandbox: FakeSandbox, team: Callable[..., Any], *codes: str) -> Any:
    """A team whose developer and debugger write `codes`, one after the other."""
    first, *patches = codes
    told = [patch(code, f"Diagnosis {number}.") for number, code in enumerate(patches, 1)]
    return team(
        sandbox, "r", architect=[DESIGN], developer=[module(first)], debugger=told, reviewer=["It does not work."]
    )


def test_the_same_failure_twice_asks_for_a_rewrite_without_the_old_code_and_three_times_ends_the_loop(
    runs: Runs, team: Callable[..., Any]
) -> None:
    crew = healing(FakeSandbox(fails), team, WRONG, WORSE, WORST, RIGHT)
    state = runs.start("add numbers", crew.context, max_iterations=9)
    first, second = (asked[1][1] for asked in crew.models["debugger"].asked)
    assert WRONG in first
    assert "measured twice" in second
    assert SUITE in second
    assert WORSE not in second
    assert "Diagnosis 1." in second
    assert (state["status"], state["iteration"]) == ("completed", 2)
    assert strategy(state) == "stop"


def test_a_candidate_that_breaks_what_passed_is_dropped_and_the_next_patch_starts_from_the_best(
    runs: Runs, team: Callable[..., Any]
) -> None:
    reports = {WRONG: failing_report("c", "ab", "1"), WORSE: failing_report("ab", "c", "2"), RIGHT: passing_report()}
    crew = healing(FakeSandbox(lambda job: reports[job.code], series=fails), team, WRONG, WORSE, RIGHT)
    state = runs.start("add numbers", crew.context)
    told = crew.models["debugger"].asked[1][1][1]
    assert WRONG in told
    assert WORSE not in told
    assert "Iteration 1 was dropped: it broke what had passed (a, b)." in told
    assert "Iteration 1: Diagnosis 1." in told
    assert state["best"]["code"] == RIGHT


def test_a_better_candidate_that_breaks_an_anchor_is_told_so(runs: Runs, team: Callable[..., Any]) -> None:
    reports = {WRONG: failing_report("bcd", "a", "1"), WORSE: failing_report("a", "bcd", "2"), RIGHT: passing_report()}
    crew = healing(FakeSandbox(lambda job: reports[job.code], series=fails), team, WRONG, WORSE, RIGHT)
    runs.start("add numbers", crew.context)
    told = crew.models["debugger"].asked[1][1][1]
    assert "The last patch mended b, c, d and broke a, which passed before." in told
    assert WORSE in told


def test_a_candidate_that_failed_before_is_not_tested_again(runs: Runs, team: Callable[..., Any]) -> None:
    sandbox = FakeSandbox(lambda job: failing_report(message=job.code), series=fails)
    crew = healing(sandbox, team, WRONG, WORSE, WRONG, RIGHT)
    state = runs.start("add numbers", crew.context, max_iterations=2)
    (refusal,) = state["rejections"]
    assert "was tested before" in refusal["reasons"][0]
    assert state["code"] == RIGHT


def test_a_test_that_ends_by_chance_is_named(runs: Runs, team: Callable[..., Any]) -> None:
    def by_order(job: Job) -> TestReport:
        return failing_report("a", "b") if job.order_seed else fails(job)

    sandbox = FakeSandbox(lambda _job: failing_report("ab"), series=by_order)
    crew = healing(sandbox, team, WRONG, RIGHT)
    state = runs.start("add numbers", crew.context, max_iterations=1)
    assert state["failures"][0]["flaky"] == ["b"]
    assert "again at once in another order: b." in crew.models["debugger"].asked[0][1][1]


def test_a_reviewer_that_fails_does_not_cost_the_verdict(runs: Runs, team: Callable[..., Any]) -> None:
    crew = team(
        FakeSandbox(measure),
        "r",
        architect=[DESIGN],
        developer=[module(RIGHT)],
        reviewer=[ProviderError("The key was refused.")],
    )
    state = runs.start("add numbers", crew.context)
    assert state["best"]["test_results"]["status"] == "passed"
    assert state["review_summary"] == "There is no review: The key was refused."


def test_a_fault_of_the_sandbox_is_no_verdict_and_the_run_can_be_resumed(runs: Runs, team: Callable[..., Any]) -> None:
    def broken(_job: Job) -> TestReport:
        raise SandboxError("The daemon went away.")

    crew = team(FakeSandbox(broken, series=fails), "r", architect=[DESIGN], developer=[module(RIGHT)])
    with pytest.raises(SandboxError):
        runs.start("add numbers", crew.context, notes={"out": "somewhere"})
    saved = runs.saved("r")
    assert (saved.finished, dict(saved.notes), saved.state["iteration"]) == (False, {"out": "somewhere"}, 0)
    assert "test_results" not in saved.state

    again = team(FakeSandbox(measure), "r", reviewer=["Good."])
    state = runs.resume("r", again.context)
    assert state["best"]["test_results"]["status"] == "passed"
    assert [call["role"] for call in runs.saved("r").calls] == ["architect", "developer", "reviewer"], (
        "nothing is paid twice"
    )
    assert dict(runs.saved("r").notes) == {"out": "somewhere"}


def test_an_interrupt_reaches_the_node_at_work_and_leaves_a_run_that_can_be_resumed(
    runs: Runs, team: Callable[..., Any]
) -> None:
    def interrupted(_job: Job) -> TestReport:
        raise KeyboardInterrupt

    crew = team(FakeSandbox(interrupted, series=fails), "r", architect=[DESIGN], developer=[module(RIGHT)])
    with pytest.raises(KeyboardInterrupt):
        runs.start("add numbers", crew.context)
    state = runs.resume("r", team(FakeSandbox(measure), "r", reviewer=["Good."]).context)
    assert state["status"] == "completed"


def test_a_run_that_was_left_inside_a_box_goes_on_there(runs: Runs, team: Callable[..., Any]) -> None:
    crew = team(FakeSandbox(measure), "r", architect=["Not now.", KeyboardInterrupt()])
    with pytest.raises(KeyboardInterrupt):
        runs.start("add numbers", crew.context)
    saved = runs.saved("r")
    assert [call["standing"] for call in saved.calls] == ["answered", "open"], "the second may have been paid for too"
    assert len(saved.state["rejections"]) == 1

    again = team(FakeSandbox(measure), "r", architect=[DESIGN], developer=[module(RIGHT)], reviewer=["Good."])
    runs.resume("r", again.context)
    answered = [call["role"] for call in runs.saved("r").calls if call["standing"] == "answered"]
    assert answered == ["architect", "architect", "developer", "reviewer"]
    assert again.models["architect"].asked[0][2] == ("ai", "Not now."), "the refused reply is not asked for again"


def test_a_reply_that_came_in_before_a_crash_is_not_asked_for_again(
    runs: Runs, team: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(**_parts: Any) -> None:
        raise KeyboardInterrupt

    crew = team(FakeSandbox(measure), "r", architect=[DESIGN])
    with monkeypatch.context() as between:
        between.setattr("src.nodes.author.Draft", killed)  # what a node does between the reply and its checkpoint
        with pytest.raises(KeyboardInterrupt):
            runs.start("add numbers", crew.context)
    assert len(crew.models["architect"].asked) == 1

    again = team(FakeSandbox(measure), "r", developer=[module(RIGHT)], reviewer=["Good."])
    assert runs.resume("r", again.context)["status"] == "completed"
    assert [call["role"] for call in runs.saved("r").calls] == ["architect", "developer", "reviewer"]


@pytest.mark.parametrize("text", ["\ud800" + DESIGN, DESIGN + "\0"])
def test_a_reply_that_no_database_takes_as_it_is_does_not_end_the_run(
    runs: Runs, team: Callable[..., Any], text: str
) -> None:
    replies = [Reply(text_of(text), "complete")]
    crew = team(FakeSandbox(measure), "r", architect=replies, developer=[module(RIGHT)], reviewer=["Good."])
    assert runs.start("add numbers", crew.context)["status"] == "completed"


def test_a_finished_run_is_not_run_again(runs: Runs, team: Callable[..., Any]) -> None:
    crew = team(FakeSandbox(measure), "r", architect=[DESIGN], developer=[module(RIGHT)], reviewer=["Good."])
    first = runs.start("add numbers", crew.context)
    assert runs.resume("r", team(FakeSandbox(measure), "r").context) == first


def test_a_role_whose_corrections_are_used_up_is_served_by_its_next_tier(runs: Runs, team: Callable[..., Any]) -> None:
    crew = team(FakeSandbox(measure), "r", architect=[DESIGN], developer=[""] * 3, reviewer=["Good."])
    stronger = Answers("", module(RIGHT))
    context = replace(crew.context, ladders={"developer": (stronger,)})
    state = runs.start("add numbers", context)
    assert state["best"]["test_results"]["status"] == "passed"
    assert state["rungs"] == {"developer": 1}
    assert [line["action"] for line in state["audit"] if line["role"] == "developer"] == [
        "asked again, correction 1",
        "asked again, correction 2",
        "escalated, to tier 2",
        "asked again, correction 1",
    ]


def test_an_answer_of_another_provider_is_told_in_the_trail(runs: Runs, team: Callable[..., Any]) -> None:
    instead = Reply(module(RIGHT), "complete", in_place_of="The key was refused.", model="gpt")
    crew = team(FakeSandbox(measure), "r", architect=[DESIGN], developer=[instead], reviewer=["Good."])
    (line,) = runs.start("add numbers", crew.context)["audit"]
    assert (line["gate"], line["reason"], line["action"]) == (
        "provider",
        "The key was refused.",
        "gpt answered in its place",
    )


def test_a_name_is_given_once(runs: Runs, team: Callable[..., Any]) -> None:
    crew = team(FakeSandbox(measure), "r", architect=[DESIGN], developer=[module(RIGHT)], reviewer=["Good."])
    runs.start("add numbers", crew.context)
    with pytest.raises(ConfigurationError, match="already"):
        runs.start("add numbers", crew.context)


def test_a_run_that_is_not_there_is_named(runs: Runs) -> None:
    with pytest.raises(ConfigurationError, match="no run called 'nothing'"):
        runs.saved("nothing")


def test_a_name_can_be_read_and_typed() -> None:
    assert new_run_id("Build an in-memory sliding-window rate limiter").startswith("in-memory-sliding-window-rate-")
    assert new_run_id("⚙️ ☃").isascii()


@pytest.mark.parametrize(("max_iterations", "max_corrections"), [(0, 0), (30, 0), (1, 20)])
def test_the_longest_honest_run_stays_under_the_recursion_limit(
    tmp_path: Path, team: Callable[..., Any], max_iterations: int, max_corrections: int
) -> None:
    runs = RunsReadOnce(tmp_path / "runs.sqlite", max_corrections=max_corrections, min_tests=1)
    bad = [""] * max_corrections
    crew = team(
        FakeSandbox(lambda job: failing_report(["test_add"], message=job.code)),
        "r",
        architect=[*bad, DESIGN],
        developer=[*bad, module(WRONG)],
        debugger=[text for n in range(max_iterations) for text in [*bad, patch(f"def add(a, b):\n    return {n}\n")]],
        reviewer=["It does not work."],
    )
    state = runs.start("add numbers", crew.context, max_iterations=max_iterations)
    assert state["status"] == "completed"
    assert state["iteration"] == max_iterations
    assert longest(TeamState(max_iterations=0), 0) == 24


def test_a_rewrite_is_asked_of_the_next_tier_and_told_in_the_trail(runs: Runs, team: Callable[..., Any]) -> None:
    crew = healing(FakeSandbox(measure, series=fails), team, WRONG, WORSE)
    stronger = Answers(patch(RIGHT))
    state = runs.start("add numbers", replace(crew.context, ladders={"debugger": (stronger,)}))
    assert state["code"] == RIGHT
    assert "measured twice" in stronger.asked[0][1][1]
    (line,) = state["audit"]
    assert (line["gate"], line["action"]) == ("repetition", "escalated, to tier 2, and asked for a rewrite")


def test_a_suspicion_that_comes_again_is_for_the_next_tier_and_at_the_top_of_the_ladder_ends_the_run(
    runs: Runs, team: Callable[..., Any]
) -> None:
    sandbox = FakeSandbox(measure, series=fails)
    crew = team(sandbox, "r", architect=[DESIGN], developer=[module(EXITS)] * 2)
    stronger = Answers(module(EXITS))
    state = runs.start("add numbers", replace(crew.context, ladders={"developer": (stronger,)}))
    assert (state["status"], len(stronger.asked)) == ("gave_up", 1)
    assert [line["action"] for line in state["audit"]] == [
        "asked again, correction 1",
        "escalated, to tier 2",
        "gave up",
    ]
    assert "os._exit(0)" in state["audit"][-1]["reason"]
    assert not sandbox.jobs, "it was never run"
