"""Several developers at once, with models and a sandbox that answer as told."""

import os
import signal
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langgraph.runtime import RunControl

from sandbox import Job, TestReport
from sandbox.fake import FakeSandbox, failing_report, passing_report
from src.approvals import Decision
from src.candidates import MAX_DEVELOPERS, latest_code
from src.cli.interrupt import stoppable
from src.errors import BudgetReached, ProviderError, Stopped
from src.events import NodeFinished, NodeStarted, Progress
from src.ledger import Budget, Ledger
from src.nodes.approaches import approach_of
from src.reply import Permit, Reply, permitted
from src.reported import written
from src.runs import Runs
from src.state import Message
from tests.conftest import Answers, RunsReadOnce
from tests.test_graph import DESIGN, RIGHT, SUITE, WORSE, WRONG, fails, measure, module, patch


class Several(Answers):
    """The developers' model: each of them answers from a list of its own."""

    def __init__(self, *each: Sequence[str | Reply | BaseException]) -> None:
        super().__init__()
        self.each = [Answers(*answers) for answers in each]

    def of(self, developer: int) -> Answers:
        return self.each[developer - 1]

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:  # noqa: ARG002
        raise AssertionError("nobody says which developer asks")


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return RunsReadOnce(tmp_path / "runs.sqlite", max_corrections=1, min_tests=1)


@pytest.fixture
def several(team: Callable[..., Any]) -> Callable[..., Any]:
    """`several([…], […], debugger=[…])`: a team with a developer for each list."""

    def make(*each: Sequence[Any], sandbox: Any = None, **answers: Any) -> Any:
        told = {"architect": [DESIGN], "reviewer": ["Good."], **answers}
        crew = team(sandbox or FakeSandbox(measure), "r", **told)
        crew.models["developer"] = Several(*each)
        return crew

    return make


def test_the_run_goes_on_from_the_best_candidate(runs: Runs, several: Callable[..., Any]) -> None:
    crew = several([module(WRONG)], [module(RIGHT)], [module(WORSE)])
    state = runs.start("add numbers", crew.context, developers=3)
    assert state["best"]["code"] == state["code"] == RIGHT
    assert (state["status"], state["iteration"]) == ("completed", 0)
    assert [(one["developer"], one["passed"], one["kept"]) for one in state["candidates"]] == [
        (1, 0, False),
        (2, 1, True),
        (3, 0, False),
    ]


def test_one_alone_is_asked_as_ever_and_leaves_no_candidates(runs: Runs, team: Callable[..., Any]) -> None:
    crew = team(FakeSandbox(measure), "r", architect=[DESIGN], developer=[module(RIGHT)], reviewer=["Good."])
    state = runs.start("add numbers", crew.context)
    assert (state["developers"], state["candidates"], state["code"]) == (1, [], RIGHT)
    assert all(event.developer == 0 for event in crew.events if isinstance(event, NodeStarted))


def test_they_work_at_once(runs: Runs, several: Callable[..., Any]) -> None:
    together = threading.Barrier(3, timeout=30)

    class Meets(Answers):
        def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:
            together.wait()
            return super().ask(messages, permit)

    crew = several([], [], [])
    crew.models["developer"].each = [Meets(module(RIGHT)) for _ in range(3)]
    assert runs.start("add numbers", crew.context, developers=3)["status"] == "completed"


def test_what_they_are_told_differs_at_its_end_alone(runs: Runs, several: Callable[..., Any]) -> None:
    crew = several(*[[module(RIGHT)]] * 3)
    runs.start("add numbers", crew.context, developers=3)
    (first,), (second,), (third,) = (one.asked for one in crew.models["developer"].each)
    assert first[0] == second[0] == third[0], "the system message"
    assert second[1][1].startswith(first[1][1])
    assert third[1][1].startswith(first[1][1])
    assert second[1][1] != third[1][1]
    assert "Your way: " in second[1][1].splitlines()[-1]


def test_a_refused_reply_goes_back_to_the_developer_who_wrote_it(runs: Runs, several: Callable[..., Any]) -> None:
    crew = several([module(RIGHT)], ["I cannot.", module(WRONG)], ["Nor can I.", module(WORSE)])
    state = runs.start("add numbers", crew.context, developers=3)
    assert [len(one.asked) for one in crew.models["developer"].each] == [1, 2, 2]
    assert len({refusal["id"] for refusal in state["rejections"]}) == len(state["rejections"]) == 2
    assert [line["role"] for line in state["audit"]] == ["developer 2", "developer 3"]
    assert crew.models["developer"].each[2].asked[1][-2] == ("ai", "Nor can I.")


def test_one_that_gives_up_leaves_it_to_the_others(runs: Runs, several: Callable[..., Any]) -> None:
    crew = several([module(RIGHT)], ["I cannot.", "I still cannot."])
    state = runs.start("add numbers", crew.context, developers=2)
    assert (state["status"], state["code"]) == ("completed", RIGHT)
    assert [(line["role"], line["action"]) for line in state["audit"][-1:]] == [("developer 2", "dropped out")]


@pytest.mark.parametrize("number", [2, 8])
def test_when_all_give_up_the_run_ends(runs: Runs, several: Callable[..., Any], number: int) -> None:
    crew = several(*[["I cannot.", "I still cannot."]] * number)
    state = runs.start("add numbers", crew.context, developers=number)
    assert (state["status"], state["candidates"]) == ("gave_up", [])
    assert "test_results" not in state
    assert runs.saved("r").finished


def test_modules_that_differ_in_comments_alone_are_tested_once(runs: Runs, several: Callable[..., Any]) -> None:
    sandbox = FakeSandbox(measure)
    crew = several([module(WRONG)], [module("# mine\n" + WRONG)], sandbox=sandbox, debugger=[patch(RIGHT)])
    state = runs.start("add numbers", crew.context, developers=2)
    assert [job.code for job in sandbox.jobs if "def add" in job.code and job.code != RIGHT].count(WRONG) <= 2
    assert not [job for job in sandbox.jobs if "# mine" in job.code]
    assert [(one["same_as"], one["kept"]) for one in state["candidates"]] == [(0, True), (1, False)]


def test_a_green_candidate_has_run_alone(runs: Runs, several: Callable[..., Any]) -> None:
    def alone(job: Job) -> TestReport:
        return passing_report(["test_add"]) if job.code == RIGHT else failing_report(["test_add"])

    def together(job: Job) -> TestReport:
        if "return" not in job.code or "raise" in job.code:
            return fails(job)
        return passing_report(["test_add"]) if job.code in (WORSE, RIGHT) else failing_report(["test_add"])

    sandbox = FakeSandbox(alone, series=together)
    crew = several([module(WORSE)], [module(WRONG)], [module(RIGHT)], sandbox=sandbox)
    state = runs.start("add numbers", crew.context, developers=3)
    assert state["best"]["code"] == RIGHT
    assert [job.code for job in sandbox.jobs] == [WORSE, RIGHT], "what looked green and was not gave way to the next"


def test_most_tests_win_then_the_smallest_number(runs: Runs, several: Callable[..., Any]) -> None:
    reports = {
        WRONG: failing_report(["a", "b"], "c"),
        WORSE: failing_report(["a"], "bc"),
        RIGHT: failing_report(["b"], "ac"),
    }
    sandbox = FakeSandbox(lambda job: reports.get(job.code, fails(job)))
    crew = several([module(WRONG)], [module(WORSE)], [module(RIGHT)], sandbox=sandbox)
    state = runs.start("add numbers", crew.context, developers=3, max_iterations=0)
    assert state["best"]["code"] == WORSE
    assert len(state["failures"]) == 1, "the run does not turn in place because several failed alike"


def test_the_debugger_starts_from_the_best_and_may_not_hand_in_what_another_failed_with(
    runs: Runs, several: Callable[..., Any]
) -> None:
    crew = several([module(WRONG)], [module(WORSE)], debugger=[patch(WORSE), patch(RIGHT)])
    state = runs.start("add numbers", crew.context, developers=2)
    told = crew.models["debugger"].asked[0][1][1]
    assert WRONG in told
    assert "\n2 developers who saw nothing of each other agree with each other against test_add: " in told
    assert "was tested before" in crew.models["debugger"].asked[1][-1][1]
    assert state["best"]["code"] == RIGHT


def test_what_stops_one_ends_the_run_and_resuming_asks_nobody_else_again(
    runs: Runs, several: Callable[..., Any]
) -> None:
    crew = several([module(WRONG)], ["I cannot.", BudgetReached("No more."), module(RIGHT)], [module(WORSE)])
    with pytest.raises(BudgetReached):
        runs.start("add numbers", crew.context, developers=3)
    saved = runs.saved("r")
    assert not saved.finished
    assert [one["developer"] for one in saved.state["candidates"]] == [1, 3], "what was paid for is there"
    state = runs.resume("r", crew.context)
    assert [len(one.asked) for one in crew.models["developer"].each] == [1, 3, 1]
    assert state["best"]["code"] == RIGHT


DOWN = ProviderError("The provider is down.")


def test_whom_a_provider_fails_is_left_out_where_others_have_written(runs: Runs, several: Callable[..., Any]) -> None:
    crew = several([module(WRONG)], ["I cannot.", DOWN], [DOWN], ["No.", "No."], [module(RIGHT)])
    state = runs.start("add numbers", crew.context, developers=5, notes={"folder": "out"})
    assert (state["status"], state["code"]) == ("completed", RIGHT)
    assert [one["developer"] for one in state["candidates"]] == [1, 5]
    assert [len(one.asked) for one in crew.models["developer"].each] == [1, 2, 1, 2, 1]
    assert [one.words for one in written(state)] == [
        "developer 1: 0 of 1",
        "developer 2: left out",
        "developer 3: left out",
        "developer 4: gave up",
        "developer 5: 1 of 1 (kept)",
    ]
    assert len(state["rejections"]) == 3, "those inside the boxes that came to nothing too"
    told = [event.text for event in crew.events if isinstance(event, Progress)]
    assert told == [f"developer {which} is left out: The provider is down." for which in (2, 3)]
    saved = runs.saved("r")
    assert (saved.finished, saved.notes["folder"]) == (True, "out")
    assert [call["standing"] for call in saved.calls].count("failed") == 2
    assert [step.done for step in runs.history("r")][-3:] == ["developer", "test_runner", "reviewer"]


def test_where_nobody_has_written_a_fault_ends_the_run_and_those_it_met_are_asked_again(
    runs: Runs, several: Callable[..., Any]
) -> None:
    crew = several([DOWN, module(RIGHT)], ["I cannot.", "I still cannot."], [DOWN, module(WRONG)])
    with pytest.raises(ProviderError):
        runs.start("add numbers", crew.context, developers=3)
    assert not runs.saved("r").finished
    assert runs.resume("r", crew.context)["code"] == RIGHT
    assert [len(one.asked) for one in crew.models["developer"].each] == [2, 2, 2]


def test_nobody_is_left_out_as_long_as_a_person_is_asked(runs: Runs, several: Callable[..., Any]) -> None:
    crew = several([module(WRONG)], [DOWN, module(RIGHT)], [module(WORSE)])
    with pytest.raises(ProviderError):
        runs.start("add numbers", crew.context, developers=3, approve=["code"])
    for question in ("developer 1", "developer 2", "developer 3"):
        assert question in asked(runs)
        state = runs.resume("r", crew.context, Decision(decision="approve"))
    assert state["code"] == RIGHT


def test_events_say_which_developer_speaks(runs: Runs, several: Callable[..., Any]) -> None:
    crew = several([module(RIGHT)], [module(WRONG)])
    runs.start("add numbers", crew.context, developers=2)
    began = [event.developer for event in crew.events if isinstance(event, NodeStarted) and event.node == "developer"]
    ended = [event.developer for event in crew.events if isinstance(event, NodeFinished) and event.node == "developer"]
    assert began == [1, 2]
    assert sorted(ended) == [1, 2]


def test_they_are_one_step_of_the_history_and_can_be_gone_back_to(runs: Runs, several: Callable[..., Any]) -> None:
    crew = several([module(WRONG)] * 3, [module(RIGHT)] * 3, reviewer=["Good."] * 3)
    runs.start("add numbers", crew.context, developers=2)
    steps = runs.history("r")
    assert [step.done for step in steps] == ["start", "__start__", "architect", "developer", "test_runner", "reviewer"]
    assert steps[2].next == ("developer",)
    assert runs.replies_until("r", "3") == {"architect": 1, "developer 1": 1, "developer 2": 1}
    assert runs.replay("r", "2", crew.context)["best"]["code"] == RIGHT
    assert [len(one.asked) for one in crew.models["developer"].each] == [2, 2]


def test_a_fork_may_have_another_number_of_developers(
    runs: Runs, several: Callable[..., Any], team: Callable[..., Any]
) -> None:
    crew = several([module(WRONG)], [module(RIGHT)])
    runs.start("add numbers", crew.context, developers=2)
    other = team(FakeSandbox(measure), "other", developer=[module(RIGHT)], reviewer=["Good."])
    state = runs.fork("r", "2", other.context, {"developers": 1})
    assert (state["candidates"], state["best"]["code"]) == ([], RIGHT)


def test_a_module_of_ones_own_takes_the_place_of_all_candidates(
    runs: Runs, several: Callable[..., Any], team: Callable[..., Any]
) -> None:
    crew = several([module(WRONG)], [module(WORSE)], debugger=[patch(RIGHT)])
    runs.start("add numbers", crew.context, developers=2)
    other = team(FakeSandbox(measure), "other", reviewer=["Good."])
    assert runs.fork("r", "3", other.context, {"code": RIGHT})["best"]["code"] == RIGHT


def test_an_interruption_waits_for_no_provider_and_what_had_ended_is_kept(
    runs: Runs, several: Callable[..., Any]
) -> None:
    never, all_ask = threading.Event(), threading.Barrier(2, action=lambda: os.kill(os.getpid(), signal.SIGINT))

    class Silent(Answers):
        def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:
            if not self.asked:
                self.asked.append([])
                all_ask.wait(timeout=30)
                never.wait(timeout=60)
            return super().ask(messages, permit)

    crew = several([], [])
    crew.models["developer"].each = [Silent(module(RIGHT)), Silent(module(WRONG))]
    with pytest.raises(KeyboardInterrupt), stoppable() as interrupted:
        runs.start("add numbers", replace(crew.context, interrupted=interrupted), developers=2)
    assert not never.is_set()
    assert [call["standing"] for call in runs.saved("r").calls] == ["answered", "open", "open"]
    assert runs.resume("r", crew.context)["code"] == RIGHT
    never.set()


def asked(runs: Runs) -> str:
    approval = runs.saved("r").approval
    return approval.question if approval else ""


def test_each_module_is_approved_by_itself(runs: Runs, several: Callable[..., Any]) -> None:
    crew = several([module(WRONG), module(WORSE)], [module(WRONG)], [module(RIGHT)])
    state = runs.start("add numbers", crew.context, developers=3, approve=["code"])
    assert asked(runs) == "Shall this module of developer 1 be tested?"
    assert "test_results" not in state
    runs.resume("r", crew.context, Decision(decision="reject", notes="Otherwise."))
    assert asked(runs) == "Shall this module of developer 1 be tested?", "its second one"
    runs.resume("r", crew.context, Decision(decision="approve"))
    assert asked(runs) == "Shall this module of developer 2 be tested?"
    runs.resume("r", crew.context, Decision(decision="edit", texts={"code": "# mine\n" + WRONG}))
    assert asked(runs) == "Shall this module of developer 3 be tested?"
    state = runs.resume("r", crew.context, Decision(decision="approve"))
    assert [one["code"] for one in state["candidates"]] == [WORSE, "# mine\n" + WRONG, RIGHT]
    assert state["best"]["code"] == RIGHT
    assert [one["independent"] for one in state["candidates"]] == [False, False, True]
    assert [len(one.asked) for one in crew.models["developer"].each] == [2, 1, 1]
    decisions = [(line["role"], line["action"]) for line in state["audit"] if line["gate"] == "person"]
    assert sorted(decisions) == [
        ("developer 1", "approved"),
        ("developer 1", "sent back"),
        ("developer 2", "edited"),
        ("developer 3", "approved"),
    ]


def test_to_abort_at_one_module_ends_the_run(runs: Runs, several: Callable[..., Any]) -> None:
    sandbox = FakeSandbox(measure)
    crew = several([module(WRONG)], [module(RIGHT)], [module(WORSE)], sandbox=sandbox)
    runs.start("add numbers", crew.context, developers=3, approve=["code"])
    runs.resume("r", crew.context, Decision(decision="approve"))
    measured_before = len(sandbox.jobs)
    state = runs.resume("r", crew.context, Decision(decision="abort"))
    assert (state["status"], runs.saved("r").finished) == ("aborted", True)
    assert len(sandbox.jobs) == measured_before
    assert crew.models["reviewer"].asked == []
    assert latest_code(state) == WRONG, "what is there is delivered, untested"


def test_a_person_is_asked_about_the_one_that_gets_nothing_past_the_gate(
    runs: Runs, several: Callable[..., Any]
) -> None:
    crew = several([module(WRONG)], ["I cannot.", "I still cannot."])
    runs.start("add numbers", crew.context, developers=2, approve=["escalation"])
    assert asked(runs) == "Developer 2 did not get its module past the gate. How shall the run go on?"
    state = runs.resume("r", crew.context, Decision(decision="edit", texts={"code": RIGHT}))
    assert state["best"]["code"] == RIGHT


def test_each_climbs_a_ladder_of_its_own(runs: Runs, several: Callable[..., Any]) -> None:
    crew = several([module(WRONG)], ["I cannot."] * 2, [module(WORSE)])
    stronger = Several([], [module(RIGHT)], [])
    state = runs.start("add numbers", replace(crew.context, ladders={"developer": [stronger]}), developers=3)
    assert [len(one.asked) for one in stronger.each] == [0, 1, 0]
    assert [line["action"] for line in state["audit"]] == ["asked again, correction 1", "escalated, to tier 2"]
    assert state["code"] == RIGHT


def test_a_budget_ends_the_run_before_the_one_that_it_does_not_hold_and_more_lets_that_one_write(
    runs: Runs, several: Callable[..., Any]
) -> None:
    crew = several(*[[module(RIGHT)]] * 3)
    ledger = Ledger(Budget(dollars=0.045))  # a call takes 0.01, and 0.02 at its worst
    with pytest.raises(BudgetReached):
        runs.start("add numbers", replace(crew.context, ledger=ledger), developers=3)
    assert sum(len(one.asked) for one in crew.models["developer"].each) == 2
    spent = runs.saved("r")
    assert sum(call["cost"] or 0 for call in spent.calls) <= 0.045
    assert len(spent.state["candidates"]) == 2
    assert runs.resume("r", crew.context)["code"] == RIGHT
    assert [len(one.asked) for one in crew.models["developer"].each] == [1, 1, 1]


def test_a_run_that_is_told_to_stop_stops_and_goes_on(runs: Runs, several: Callable[..., Any]) -> None:
    control = RunControl()

    class Stops(Answers):
        def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:
            control.request_drain("enough")
            return super().ask(messages, permit)

    crew = several([], [])
    crew.models["developer"].each = [Stops(module(RIGHT)), Stops(module(WRONG))]
    with pytest.raises(Stopped):
        runs.start("add numbers", replace(crew.context, control=control), developers=2)
    assert runs.resume("r", crew.context)["code"] == RIGHT
    assert [len(one.asked) for one in crew.models["developer"].each] == [1, 1]


def test_their_modules_can_be_tested_again_without_asking_them(runs: Runs, several: Callable[..., Any]) -> None:
    crew = several([module(WRONG)], [module(RIGHT)], reviewer=["Good."] * 2)
    runs.start("add numbers", crew.context, developers=2)
    assert runs.replay("r", "3", crew.context)["code"] == RIGHT
    assert [len(one.asked) for one in crew.models["developer"].each] == [1, 1]


def test_an_edited_suite_judges_the_modules_that_were_waiting(
    runs: Runs, several: Callable[..., Any], team: Callable[..., Any]
) -> None:
    crew = several([module(WRONG)], [module(RIGHT)])
    runs.start("add numbers", crew.context, developers=2)
    other = team(FakeSandbox(measure), "other", reviewer=["Good."])
    state = runs.fork("r", "3", other.context, {"tests": SUITE + "\n"})
    assert [one["kept"] for one in state["candidates"]] == [False, True]


def test_every_way_to_begin_is_another_one() -> None:
    told = [approach_of(which) for which in range(1, MAX_DEVELOPERS + 1)]
    assert (len(set(told)), told[0], approach_of(0)) == (MAX_DEVELOPERS, "", "")
