"""What a person decides, through the graph: each point with each answer, and what an edit must pass."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandbox import Job, TestReport
from sandbox.fake import FakeSandbox, failing_report
from src.approvals import MAX_SENT_BACK, Approval, Decision
from src.errors import ConfigurationError
from src.runs import Runs
from tests.conftest import RunsReadOnce
from tests.test_graph import DESIGN, RIGHT, SUITE, WORSE, WRONG, measure, module, patch

OTHER = "def add(a, b):\n    return b - a\n"
WORDS = "`add(a, b)` adds."
DISPUTED = "### FAULT\n\ntests\n\n### DISPUTED\n\ntest_add: the specification says otherwise\n"
AMENDED = SUITE.replace("add(1, 2) == 3", "add(1, 3) == 4")
AMEND = f"### DECISION\n\namend\n\n### REASON\n\nOne and three are better.\n\n### TESTS\n\n```python\n{AMENDED}```\n"
KEEP = "### DECISION\n\nkeep\n\n### REASON\n\nIt is right.\n"


def fakes(job: Job) -> TestReport:
    """What any fake of the module comes to; one test passes with each of them."""
    return failing_report(["test_add"], ["test_more"] if "test_more" in job.tests else [])


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return RunsReadOnce(tmp_path / "runs.sqlite", max_corrections=1, min_tests=1)


class Desk:
    """A run that is carried on by one decision after the other."""

    def __init__(self, runs: Runs, team: Callable[..., Any]) -> None:
        self.runs, self.team = runs, team

    def start(
        self,
        *approve: str,
        when: tuple[str, ...] = (),
        measured: Callable[[Job], TestReport] = measure,
        **answers: Any,
    ) -> Any:
        given = {"architect": [DESIGN], "developer": [module(RIGHT)], "reviewer": ["Good."], **answers}
        self.crew = self.team(FakeSandbox(measured, series=fakes), "r", **given)
        self.state = self.runs.start("add numbers", self.crew.context, approve=approve, approve_when=when)  # type: ignore[arg-type]
        return self.state

    @property
    def asked(self) -> Approval:
        approval = self.runs.saved("r").approval
        assert approval is not None
        return approval

    def decide(self, decision: str, notes: str = "", **texts: str) -> Any:
        given = Decision(decision=decision, notes=notes, texts=texts)
        self.state = self.runs.resume("r", self.crew.context, given)
        return self.state

    def calls(self, role: str) -> int:
        return len(self.crew.models[role].asked)

    @property
    def saved(self) -> Any:
        return self.runs.saved("r").state

    @property
    def trail(self) -> list[tuple[str, str]]:
        return [
            (line["reason"].partition(":")[0], line["action"])
            for line in self.saved["audit"]
            if line["gate"] == "person"
        ]

    @property
    def verified(self) -> bool:
        return bool(self.state.get("best") and self.state["best"]["test_results"]["status"] == "passed")


@pytest.fixture
def desk(runs: Runs, team: Callable[..., Any]) -> Desk:
    return Desk(runs, team)


def at_spec(desk: Desk, *more: str) -> None:
    desk.start("spec", architect=[DESIGN, *more])


def at_code(desk: Desk, *more: str) -> None:
    desk.start("code", developer=[module(OTHER), *more])


def at_patch(desk: Desk, *more: str) -> None:
    desk.start("patch", developer=[module(WRONG)], debugger=[patch(WORSE), *more])


def at_dispute(desk: Desk, answer: str = AMEND, *more: str) -> None:
    desk.start(
        "dispute", architect=[DESIGN, answer, *more], developer=[module(WRONG)], debugger=[DISPUTED, patch(RIGHT)]
    )


def test_nothing_is_asked_unless_it_was_wanted(desk: Desk) -> None:
    assert desk.start()["status"] == "completed"
    assert desk.trail == []


@pytest.mark.parametrize(
    ("reach", "matter", "shown"),
    [
        (at_spec, "spec", {"spec": WORDS, "tests": SUITE}),
        (at_code, "code", {"code": OTHER}),
        (at_patch, "patch", {"code": WORSE}),
        (at_dispute, "dispute", {"tests": AMENDED}),
    ],
)
def test_a_run_waits_with_all_that_is_needed_to_decide(
    desk: Desk, reach: Callable[[Desk], None], matter: str, shown: dict[str, str]
) -> None:
    reach(desk)
    asked = desk.asked
    assert (asked.matter, asked.decisions) == (matter, ("approve", "edit", "reject", "abort"))
    assert {name: text.strip() for name, text in asked.texts.items()} == {n: t.strip() for n, t in shown.items()}
    before = desk.runs.saved("r").calls
    desk.runs.resume("r", desk.crew.context)
    assert desk.runs.saved("r").calls == before, "without a decision nothing is called"


def test_a_patch_is_shown_as_a_difference_with_its_diagnosis(desk: Desk) -> None:
    at_patch(desk)
    assert "-    return a - b\n+    return None" in desk.asked.difference
    assert desk.asked.background == "Iteration 1: It subtracts."


def test_a_patch_is_shown_against_what_it_starts_from_not_against_a_candidate_that_was_dropped(desk: Desk) -> None:
    seen = {WRONG: failing_report(["test_add"], ["test_more"]), WORSE: failing_report(["test_add", "test_more"])}
    patches = [patch(WORSE), patch(RIGHT)]
    desk.start("patch", measured=lambda job: seen[job.code], developer=[module(WRONG)], debugger=patches)
    desk.decide("approve")
    assert "-    return a - b\n+    return a + b" in desk.asked.difference


def test_a_dispute_is_shown_with_its_reason_and_the_change(desk: Desk) -> None:
    at_dispute(desk)
    assert "test_add" in desk.asked.question
    assert "the specification says otherwise" in desk.asked.background
    assert "+    assert add(1, 3) == 4" in desk.asked.difference


def test_an_approved_specification_is_worked_on(desk: Desk) -> None:
    at_spec(desk)
    desk.decide("approve")
    assert desk.verified
    assert desk.trail == [("spec", "approved")]
    assert desk.calls("architect") == 1


def test_approved_code_and_patches_are_tested(desk: Desk) -> None:
    desk.start("code", "patch", developer=[module(WRONG)], debugger=[patch(RIGHT)])
    desk.decide("approve")
    assert desk.asked.matter == "patch"
    desk.decide("approve")
    assert desk.verified
    assert (desk.state["iteration"], desk.trail) == (1, [("code", "approved"), ("patch", "approved")])


@pytest.mark.parametrize("answer", [AMEND, KEEP])
def test_an_approved_decision_about_disputed_tests_stands(desk: Desk, answer: str) -> None:
    at_dispute(desk, answer)
    desk.decide("approve")
    assert desk.state["disputes"][0]["decision"] == ("amended" if answer == AMEND else "kept")
    assert ("add(1, 3)" in desk.state["tests"]) == (answer == AMEND)


def test_notes_go_back_to_the_author_as_an_instruction(desk: Desk) -> None:
    at_code(desk, module(RIGHT))
    desk.decide("reject", "It must add.")
    first, second = desk.crew.models["developer"].asked
    assert second[: len(first)] == first
    assert second[len(first)] == ("ai", module(OTHER))
    assert "sends it back and says: It must add." in second[-1][1]
    assert desk.asked.texts == {"code": RIGHT}
    desk.decide("approve")
    assert desk.verified
    assert desk.trail == [("code", "sent back"), ("code", "approved")]


def test_notes_on_a_patch_take_no_further_iteration(desk: Desk) -> None:
    at_patch(desk, patch(RIGHT, "It returned nothing."))
    desk.decide("reject", "That is worse.")
    desk.decide("approve")
    assert desk.state["debug_history"] == ["Iteration 1: It returned nothing."]


def test_a_specification_and_a_decision_are_written_again_with_notes(desk: Desk) -> None:
    at_spec(desk, DESIGN.replace("adds.", "adds two numbers."))
    desk.decide("reject", "Say what it adds.")
    assert desk.asked.texts["spec"] == "`add(a, b)` adds two numbers."


def test_a_decision_about_tests_is_taken_again_with_notes(desk: Desk) -> None:
    at_dispute(desk, AMEND, KEEP)
    desk.decide("reject", "The test is right.")
    assert desk.asked.difference == ""
    desk.decide("approve")
    assert (desk.state["disputes"][0]["decision"], desk.state["tests"]) == ("kept", SUITE)


def test_an_author_that_breaks_down_over_notes_is_corrected_as_ever(desk: Desk) -> None:
    at_code(desk, "", module(RIGHT))
    desk.decide("reject", "It must add.")
    desk.decide("approve")
    assert desk.verified
    assert [line["action"] for line in desk.state["audit"]] == ["sent back", "asked again, correction 1", "approved"]


def test_notes_are_bounded(desk: Desk) -> None:
    at_code(desk, *[module(OTHER)] * MAX_SENT_BACK)
    for _ in range(MAX_SENT_BACK):
        desk.decide("reject", "Again.")
    assert "reject" not in desk.asked.decisions
    with pytest.raises(ConfigurationError, match="not one of the decisions"):
        desk.decide("reject", "Again.")
    assert desk.trail == [("code", "sent back")] * MAX_SENT_BACK


@pytest.mark.parametrize(
    ("reach", "texts"),
    [
        (at_spec, {"tests": AMENDED}),
        (at_spec, {"spec": "It adds."}),
        (at_code, {"code": RIGHT}),
        (at_patch, {"code": RIGHT}),
    ],
)
def test_an_edit_takes_the_place_of_the_text_and_is_not_asked_about(
    desk: Desk, reach: Callable[[Desk], None], texts: dict[str, str]
) -> None:
    reach(desk)
    state = desk.decide("edit", "Mine.", **texts)
    key = {"spec": "specs"}
    assert {name: state[key.get(name, name)] for name in texts} == texts
    assert state["status"] == "completed"
    assert [action for _, action in desk.trail] == ["edited"]


def test_an_edited_amendment_passes_the_gate_of_amendments(desk: Desk) -> None:
    at_dispute(desk)
    weaker = SUITE.replace("assert add(1, 2) == 3", "assert add(1, 2)")
    desk.decide("edit", tests=weaker)
    assert desk.asked.edit_refused
    desk.decide("edit", tests=SUITE.replace("add(1, 2) == 3", "add(2, 2) == 4"))
    assert "add(2, 2) == 4" in desk.state["tests"]
    assert desk.state["disputes"][0]["decision"] == "amended"
    assert [action for _, action in desk.trail] == ["edited", "edit refused, asked again", "edited"]


@pytest.mark.parametrize(
    ("reach", "texts", "reason"),
    [
        (at_spec, {"tests": "def test_add():\n    assert True\n"}, "imports nothing"),
        (at_spec, {"tests": SUITE + "\n\ndef test_more():\n    pass\n"}, "test_more"),
        (at_code, {"code": "def other():\n    pass\n"}, "does not define `add`"),
        (at_patch, {"code": WRONG}, "tested before"),
    ],
)
def test_an_edit_that_a_gate_refuses_is_told_and_stays_open(
    desk: Desk, reach: Callable[[Desk], None], texts: dict[str, str], reason: str
) -> None:
    reach(desk)
    before = desk.asked
    desk.decide("edit", **texts)
    assert reason in "".join(desk.asked.edit_refused)
    assert desk.asked.edited == {**before.texts, **texts}
    assert desk.asked.texts == before.texts, "what is approved is still the author's"
    assert desk.saved.get("rejections", []) == [], "the author is not to blame"


def test_what_vetting_refused_of_an_edit_is_not_what_is_approved(desk: Desk) -> None:
    at_spec(desk)
    green_with_any_fake = (
        SUITE + '\n\n@pytest.mark.request("add numbers")\ndef test_more():\n    assert add(2, 2) == 4\n'
    )
    desk.decide("edit", tests=green_with_any_fake)
    assert "test_more" in "".join(desk.asked.edit_refused)
    desk.decide("approve")
    assert (desk.state["tests"], desk.verified) == (SUITE, True)


@pytest.mark.parametrize("reach", [at_spec, at_code, at_patch, at_dispute])
def test_an_aborted_run_ends_unverified_and_nothing_more_is_paid(desk: Desk, reach: Callable[[Desk], None]) -> None:
    reach(desk)
    before = len(desk.runs.saved("r").calls)
    desk.decide("abort", "Not today.")
    saved = desk.runs.saved("r")
    assert (saved.state["status"], saved.finished, desk.verified) == ("aborted", True, False)
    assert len(saved.calls) == before
    assert [action for _, action in desk.trail] == ["aborted"]


def test_an_aborted_dispute_leaves_the_suite_that_was_measured(desk: Desk) -> None:
    at_dispute(desk)
    assert desk.decide("abort")["tests"] == SUITE


def test_an_escalation_is_asked_when_corrections_are_used_up(desk: Desk) -> None:
    desk.start("escalation", developer=["", "def nothing"])
    assert (desk.asked.matter, desk.asked.decisions) == ("escalation", ("edit", "reject", "abort"))
    assert desk.asked.texts == {"code": "def nothing"}
    assert desk.asked.reasons
    desk.decide("edit", code=RIGHT)
    assert desk.verified


def test_notes_on_an_escalation_give_one_more_round(desk: Desk) -> None:
    desk.start("escalation", architect=["", "", "", DESIGN])
    desk.decide("reject", "Write it down.")
    assert desk.verified
    assert desk.calls("architect") == 4
    assert desk.trail == [("escalation", "sent back")]


def test_an_escalation_that_is_aborted_ends_the_run(desk: Desk) -> None:
    desk.start("escalation", developer=[module(WRONG)], debugger=["", ""])
    desk.decide("edit", code=WRONG)
    assert "tested before" in "".join(desk.asked.edit_refused)
    assert desk.decide("abort")["status"] == "aborted"


def test_without_somebody_to_escalate_to_a_role_gives_up(desk: Desk) -> None:
    assert desk.start("code", developer=["", ""])["status"] == "gave_up"


@pytest.mark.parametrize(
    ("when", "waits"),
    [(("cost>0.50",), False), (("cost>0.01",), True), (("suspicion", "suite_changed"), False), ((), True)],
)
def test_a_condition_decides_whether_it_is_asked(desk: Desk, when: tuple[str, ...], waits: bool) -> None:
    desk.start("code", when=when)
    assert (desk.runs.saved("r").approval is not None) == waits


def test_a_change_of_the_suite_is_a_condition_at_the_dispute_itself(desk: Desk) -> None:
    for answer, waits in ((AMEND, True), (KEEP, False)):
        desk.start(
            "dispute",
            when=("suite_changed",),
            architect=[DESIGN, answer],
            developer=[module(WRONG)],
            debugger=[DISPUTED, patch(RIGHT)],
        )
        assert (desk.runs.saved("r").approval is not None) == waits
        desk.runs.delete("r")


@pytest.mark.parametrize(
    "given",
    [
        Decision(decision="reject"),
        Decision(decision="approve", texts={"code": RIGHT}),
        Decision(decision="edit"),
        Decision(decision="edit", texts={"code": OTHER}),
        Decision(decision="edit", texts={"code": " "}),
        Decision(decision="edit", texts={"tests": SUITE}),
        Decision(decision="reject", notes="x" * 20_000),
        "approve",
    ],
)
def test_a_malformed_decision_is_refused_and_stays_open(desk: Desk, given: Any) -> None:
    at_code(desk)
    with pytest.raises(ConfigurationError):
        desk.runs.resume("r", desk.crew.context, given)
    assert desk.asked.edit_refused == ()
    assert desk.decide("abort")["status"] == "aborted"


def test_an_edit_without_a_text_is_told_which_texts_there_are(desk: Desk) -> None:
    at_spec(desk)
    with pytest.raises(ConfigurationError, match="An edit needs a new text of: spec, tests"):
        desk.decide("edit")


def test_a_decision_counts_once_although_the_process_dies_after_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.start("code")

    def dies(_job: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(desk.crew.context.sandbox, "run", dies)
        with pytest.raises(KeyboardInterrupt):
            desk.decide("approve")
    assert desk.runs.saved("r").approval is None
    desk.state = desk.runs.resume("r", desk.crew.context)
    assert desk.verified
    assert (desk.trail, desk.calls("developer")) == ([("code", "approved")], 1)


def test_a_decision_that_was_not_written_down_when_the_process_died_is_asked_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.start("code")

    def dies(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("src.nodes.oversight.audit_entry", dies)
        with pytest.raises(KeyboardInterrupt):
            desk.decide("approve")
    assert desk.asked.matter == "code"
    desk.decide("approve")
    assert desk.trail == [("code", "approved")]


def test_a_decision_that_was_taken_is_not_asked_for_again_after_a_fault(runs: Runs, team: Callable[..., Any]) -> None:
    desk = Desk(runs, team)
    desk.start("code", developer=[module(WRONG), OSError("the light went out")])
    with pytest.raises(OSError, match="the light"):
        desk.decide("reject", "It is wrong.")
    assert runs.saved("r").approval is None, "an answer given now would be taken for the next question's"
    crew = team(FakeSandbox(measure, series=fakes), "r", developer=[module(RIGHT)])
    runs.resume("r", crew.context)
    assert desk.asked.texts["code"].strip() == RIGHT.strip()
