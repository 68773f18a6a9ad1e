"""Going back in a run: replays and forks through the whole graph, with models that answer from a list."""

import hashlib
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from langgraph.runtime import RunControl

from sandbox import Job, TestReport
from sandbox.fake import FakeSandbox, failing_report, passing_report
from src.errors import ConfigurationError, Stopped
from src.events import Event, NodeFinished
from src.reply import Permit, Reply, permitted
from src.runs import Runs, Step
from src.state import Message
from tests.conftest import Answers, RunsReadOnce, Team

SUITE = """\
import pytest
from solution import answer

@pytest.mark.property("the answer to everything is known to be 42")
def test_answer():
    assert answer() == 42
"""
ARCHITECT = f"### SPECIFICATIONS\n\n`answer()` returns 42.\n\n### TESTS\n\n```python\n{SUITE}```\n"
WRONG = "def answer():\n    return 41\n"
RIGHT = "def answer():\n    return 42\n"
PATCH = f"### DIAGNOSIS\n\nThe answer was one too low.\n\n### PATCHED_CODE\n\n```python\n{RIGHT}```\n"
HEALED: dict[str, list[str | BaseException]] = {
    "architect": [ARCHITECT],
    "developer": [f"```python\n{WRONG}```"],
    "debugger": [PATCH],
    "reviewer": ["Good."],
}


class Killed(BaseException):
    """Stands for the end of the process."""


def judge(job: Job) -> TestReport:
    return (
        passing_report()
        if "42" in job.code or "is not None" in job.tests
        else failing_report(message="assert 41 == 42")
    )


class Bench:
    """A database with one healed run, `a`, and teams that go back in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.runs: Runs = RunsReadOnce(path, min_tests=1)
        self.sandbox = FakeSandbox(judge, series=judge)
        self.first = self.team("a", **HEALED)
        self.state = self.runs.start("Answer.", self.first.context, max_iterations=2, notes={"folder": "out"})

    def team(self, run_id: str, **answers: list[str | BaseException]) -> Team:
        return Team(self.sandbox, run_id, **answers)

    def before(self, node: str, run_id: str = "a") -> Step:
        return next(step for step in self.runs.history(run_id) if node in step.next)

    def kept_of(self, run_id: str) -> str:
        """A digest of every row that the database holds of a run."""
        with sqlite3.connect(self.path) as database:
            rows = [
                row
                for table in ("checkpoints", "writes")
                for row in database.execute(f"SELECT * FROM {table} WHERE thread_id = ?", [run_id])
            ]
            rows += database.execute("SELECT * FROM store WHERE prefix LIKE ? OR key = ?", [f"%.{run_id}", run_id])
        return hashlib.sha256(repr(sorted(map(repr, rows))).encode()).hexdigest()


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "runs.sqlite")


def at(step: Step) -> str:
    return str(step.number)


def test_a_replay_asks_anew_from_the_step_on_and_nobody_before_it(bench: Bench) -> None:
    again = bench.team("a", debugger=[PATCH.replace("one too low", "far too low")], reviewer=["Fine."])
    state = bench.runs.replay("a", at(bench.before("debugger")), again.context)
    assert state["debug_history"] == ["Iteration 1: The answer was far too low."]
    assert (state["status"], state["review_summary"]) == ("completed", "Fine.")
    asked = {role: len(model.asked) for role, model in again.models.items() if model.asked}
    assert asked == {"debugger": 1, "reviewer": 1}
    assert len(bench.runs.saved("a").calls) == 6


def test_a_replay_that_is_killed_is_resumed_where_it_was_and_pays_for_nothing_twice(bench: Bench) -> None:
    killed = bench.team("a", debugger=[PATCH.replace("low", "small")], reviewer=[Killed()])
    with pytest.raises(Killed):
        bench.runs.replay("a", at(bench.before("debugger")), killed.context)
    saved = bench.runs.saved("a")
    assert not saved.finished
    assert saved.notes["folder"] == "out"
    state = bench.runs.resume("a", bench.team("a", reviewer=["Fine."]).context)
    assert state["debug_history"] == ["Iteration 1: The answer was one too small."]


def test_a_replay_that_is_killed_in_its_first_call_is_still_to_be_done(bench: Bench) -> None:
    with pytest.raises(Killed):
        bench.runs.replay("a", at(bench.before("architect")), bench.team("a", architect=[Killed()]).context)
    saved = bench.runs.saved("a")
    assert (saved.finished, saved.notes["folder"]) == (False, "out")
    state = bench.runs.resume("a", bench.team("a", **HEALED).context)
    assert (state["status"], state["iteration"]) == ("completed", 1)


def test_the_steps_of_before_stay_when_a_run_is_replayed(bench: Bench) -> None:
    before = bench.runs.history("a")
    bench.runs.replay("a", at(bench.before("reviewer")), bench.team("a", reviewer=["Fine."]).context)
    after = bench.runs.history("a")
    assert after[: len(before)] == before
    assert [(step.done, step.next) for step in after[len(before) :]] == [
        ("test_runner", ("reviewer",)),
        ("reviewer", ()),
    ]


@pytest.mark.parametrize("node", ["architect", "developer", "test_runner", "debugger", "reviewer"])
def test_a_fork_is_a_run_of_its_own_and_the_other_stays_as_it_was_byte_for_byte(bench: Bench, node: str) -> None:
    before = bench.kept_of("a")
    team = bench.team("b", **HEALED)
    state = bench.runs.fork("a", at(bench.before(node)), team.context)
    assert bench.kept_of("a") == before
    told = ("code", "tests", "specs", "iteration", "status", "debug_history", "review_summary", "user_request")
    assert {key: state[key] for key in told} == {key: bench.state[key] for key in told}  # type: ignore[literal-required]
    saved = bench.runs.saved("b")
    assert saved.origin == f"a@{bench.before(node).number}"
    assert len(saved.calls) == sum(len(model.asked) for model in team.models.values())


def test_a_step_may_be_named_by_its_checkpoint(bench: Bench) -> None:
    step = bench.before("reviewer")
    bench.runs.fork("a", step.checkpoint_id, bench.team("b", reviewer=["Fine."]).context)
    bench.runs.fork("a", step.checkpoint_id[-12:], bench.team("c", reviewer=["Fine."]).context)
    assert bench.runs.saved("b").origin == bench.runs.saved("c").origin == f"a@{step.number}"


@pytest.mark.parametrize("at", ["99", "-1", "", "x", "ffffffffff"])
def test_a_step_that_does_not_exist_is_named_with_those_that_do(bench: Bench, at: str) -> None:
    with pytest.raises(ConfigurationError, match="no step") as refused:
        bench.runs.fork("a", at, bench.team("b").context)
    assert f"from 0 to {len(bench.runs.history('a')) - 1}" in refused.value.remedy
    assert bench.runs.names() == ["a"]


def test_a_fork_of_a_fork_begins_where_that_one_was(bench: Bench) -> None:
    bench.runs.fork("a", at(bench.before("debugger")), bench.team("b", **HEALED).context)
    first = bench.runs.history("b")[0]
    assert (first.done, first.next) == ("test_runner", ("debugger",))
    state = bench.runs.fork("b", "0", bench.team("c", **HEALED).context)
    assert state["code"].strip() == RIGHT.strip()
    assert bench.runs.saved("c").origin == "b@0"


def test_a_fork_never_takes_the_name_of_another_run(bench: Bench) -> None:
    with pytest.raises(ConfigurationError, match="already"):
        bench.runs.fork("a", "2", bench.team("a").context)


def test_the_end_of_a_run_leads_nowhere(bench: Bench) -> None:
    last = bench.runs.history("a")[-1]
    with pytest.raises(ConfigurationError, match="the end of the run"):
        bench.runs.fork("a", at(last), bench.team("b").context)
    with pytest.raises(ConfigurationError, match="the end of the run"):
        bench.runs.replay("a", at(last), bench.team("a").context)


def test_more_iterations_lead_on_where_the_run_had_none_left(bench: Bench) -> None:
    hopeless = bench.team("h", **HEALED | {"debugger": [PATCH.replace("42", "43")]})
    assert bench.runs.start("Answer.", hopeless.context, max_iterations=1)["best"]["test_results"]["status"] == "failed"
    step = bench.before("reviewer", "h")
    team = bench.team("b", debugger=[PATCH], reviewer=["Good."])
    state = bench.runs.fork("h", at(step), team.context, {"max_iterations": 2})
    assert (state["iteration"], state["best"]["test_results"]["status"]) == (2, "passed")


@pytest.mark.parametrize("node", ["developer", "test_runner", "debugger", "reviewer", "end"])
def test_an_edited_module_is_measured_before_anything_else(bench: Bench, node: str) -> None:
    step = bench.runs.history("a")[-1] if node == "end" else bench.before(node)
    jobs = len(bench.sandbox.jobs)
    mine = "def answer():\n    return 6 * 9 - 42 + 30\n"
    state = bench.runs.fork("a", at(step), bench.team("b", reviewer=["Mine."]).context, {"code": mine})
    assert [job.code for job in bench.sandbox.jobs[jobs:]] == [mine]
    assert state["best"]["code"] == mine


def test_an_edited_module_that_fails_is_never_taken_for_the_green_one_of_before(bench: Bench) -> None:
    step = bench.runs.history("a")[-1]
    bad = "def answer():\n    return 40\n"
    team = bench.team("b", debugger=[PATCH.replace("42", "44")], reviewer=["Bad."])
    state = bench.runs.fork("a", at(step), team.context, {"code": bad, "max_iterations": 1})
    assert state["best"]["test_results"]["status"] == "failed"
    assert [entry["action"] for entry in state["audit"] if entry["role"] == "person"] == ["edited", "edited"]


def test_an_edited_suite_is_vetted_and_run_and_the_report_can_say_that_nobody_read_it(bench: Bench) -> None:
    suite = SUITE.replace("def test_answer", "def test_the_answer")
    state = bench.runs.fork("a", at(bench.before("reviewer")), bench.team("b", **HEALED).context, {"tests": suite})
    assert bench.sandbox.jobs[-1].tests == suite
    assert state["best"]["test_results"]["status"] == "passed"
    assert state["reading"]["missing"] == "the suite was edited by a person"


def test_a_suite_that_is_edited_before_the_code_is_read_as_any_other(bench: Bench) -> None:
    suite = SUITE.replace("def test_answer", "def test_the_answer")
    team = bench.team("b", **HEALED)
    state = bench.runs.fork("a", at(bench.before("developer")), team.context, {"tests": suite})
    assert len(team.models["developer"].asked) == 1
    assert "test_the_answer" in state["tests"]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"code": "def answer(:\n"}, "code was refused"),
        ({"code": "def reply():\n    return 42\n"}, "code was refused"),
        ({"code": WRONG}, "code was refused"),
        ({"code": " \n"}, "code would be empty"),
        ({"tests": "def test_nothing():\n    assert True\n"}, "tests was refused"),
        ({"tests": SUITE.replace("== 42", "is not None")}, "tests was refused"),
        (
            {"tests": SUITE.replace('@pytest.mark.property("the answer to everything is known to be 42")\n', "")},
            "tests",
        ),
        ({"user_request": "Answer otherwise."}, "the suite was written for it"),
        ({"cod": "x"}, "nothing called 'cod' to set"),
        ({"best": "x"}, "nothing called 'best' to set"),
        ({"status": "completed"}, "nothing called 'status' to set"),
        ({"max_iterations": 101}, "max_iterations cannot be 101"),
        ({"specs": "x" * 300_000}, "longer"),
    ],
)
def test_an_edit_passes_the_gates_of_a_models_text_or_is_refused_before_there_is_a_run(
    bench: Bench, changes: dict[str, str | int], told: str
) -> None:
    with pytest.raises(ConfigurationError, match=told):
        bench.runs.fork("a", at(bench.before("debugger")), bench.team("b").context, changes)
    assert bench.runs.names() == ["a"]


def test_an_edited_module_before_its_suite_is_settled_is_too_early(bench: Bench) -> None:
    with pytest.raises(ConfigurationError, match="no module"):
        bench.runs.fork("a", "1", bench.team("b").context, {"code": RIGHT})
    with pytest.raises(ConfigurationError, match="no suite"):
        bench.runs.fork("a", "1", bench.team("b").context, {"tests": SUITE})


def test_another_request_begins_with_the_architect(bench: Bench) -> None:
    team = bench.team("b", **HEALED)
    state = bench.runs.fork("a", "0", team.context, {"user_request": "Answer at once."})
    assert state["user_request"] == "Answer at once."
    assert "Answer at once." in team.models["architect"].asked[0][1][1]


def test_the_answers_on_the_way_to_a_step_are_counted_and_those_of_other_ways_are_not(bench: Bench) -> None:
    step = bench.before("reviewer")
    assert bench.runs.replies_until("a", at(step)) == {"architect": 1, "developer": 1, "debugger": 1}
    bench.runs.replay("a", at(bench.before("debugger")), bench.team("a", **HEALED).context)
    assert bench.runs.replies_until("a", at(step)) == {"architect": 1, "developer": 1, "debugger": 1}
    assert bench.runs.replies_until("a", at(bench.before("developer"))) == {"architect": 1}


def test_deleting_a_fork_leaves_the_other(bench: Bench) -> None:
    bench.runs.fork("a", at(bench.before("debugger")), bench.team("b", **HEALED).context)
    before = bench.kept_of("a")
    bench.runs.delete("b")
    assert bench.kept_of("a") == before
    assert bench.runs.names() == ["a"]


def test_a_run_that_is_asked_to_stop_does_so_at_the_end_of_its_step_and_can_go_on(bench: Bench) -> None:
    control = RunControl()
    team = bench.team("b", **HEALED)

    def stop_after_the_developer(event: Event) -> None:
        if isinstance(event, NodeFinished) and event.node == "developer":
            control.request_drain("enough")

    context = replace(team.context, control=control, on_event=stop_after_the_developer)
    with pytest.raises(Stopped, match="enough"):
        bench.runs.fork("a", "1", context)
    assert not bench.runs.saved("b").finished
    rest = bench.team("b", debugger=[PATCH], reviewer=["Good."])
    assert bench.runs.resume("b", rest.context)["status"] == "completed"


def test_a_run_that_is_asked_to_stop_within_a_box_has_its_reply_when_it_goes_on(bench: Bench) -> None:
    control = RunControl()
    team = bench.team("b", **HEALED)

    class Stopping(Answers):
        def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:
            control.request_drain("enough")
            return super().ask(messages, permit)

    team.models["developer"] = Stopping(*HEALED["developer"])
    with pytest.raises(Stopped):
        bench.runs.fork("a", "1", replace(team.context, control=control))
    rest = bench.team("b", debugger=[PATCH], reviewer=["Good."])
    assert bench.runs.resume("b", rest.context)["status"] == "completed"
