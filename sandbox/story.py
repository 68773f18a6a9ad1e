"""Reads the events of a run as a story that has to be told in one order; the first contradiction ends the reading.

Generated code shares the reporter's process and can write whatever it likes into the report. What it cannot do by
accident, and hardly on purpose, is to tell a whole session without a gap: every collected test started in turn, each
with its set-up, call and teardown, then a finish with the secret of this run, then an exit that the kernel confirms.
"""

from sandbox.protocol import (
    Apart,
    CannotCarry,
    Collected,
    CollectError,
    Event,
    Exit,
    Finish,
    InternalError,
    PhaseReport,
    Start,
    read_event,
)
from sandbox.report import Outcome


class TestStory:
    """What was heard of one collected test."""

    __test__ = False

    def __init__(self, identity: str) -> None:
        self.id = identity
        self.phases: list[PhaseReport] = []
        self.subtests: list[PhaseReport] = []
        self.late: PhaseReport | None = None
        """A failure that came to light after its end, of a fixture that outlives it."""

    def next_phase(self) -> str | None:
        """The only phase that may be reported now; `None` when the test is complete."""
        if not self.phases:
            return "setup"
        last = self.phases[-1]
        if last.phase == "setup":
            return "call" if last.outcome == "passed" else "teardown"
        return "teardown" if last.phase == "call" else None

    @property
    def complete(self) -> bool:
        """Whether its teardown was reported."""
        return self.next_phase() is None

    @property
    def failures(self) -> list[PhaseReport]:
        """The reports that make it fail, the most telling first."""
        late = [self.late] if self.late is not None else []
        return [report for report in [*self.subtests, *self.phases, *late] if report.outcome == "failed"]

    @property
    def outcome(self) -> Outcome:
        """What became of it."""
        if self.failures:
            return "failed" if any(report.phase == "call" for report in self.failures) else "error"
        skipped = [report for report in [*self.phases, *self.subtests] if report.outcome == "skipped"]
        if skipped:
            return "xfailed" if skipped[0].expected_to_fail else "skipped"
        if not self.complete:
            return "not_run"
        return "xpassed" if any(report.expected_to_fail for report in self.phases) else "passed"


class Story:
    """All that was heard."""

    def __init__(self) -> None:
        self.errors: list[CollectError | InternalError] = []
        self.tests: list[TestStory] | None = None
        self.started = 0
        self.cannot_carry: list[str] = []
        """What the suite did that does not reach a module in a process of its own."""
        self.apart: Apart | None = None
        """What is told of a module in a process of its own."""
        self.finish: Finish | None = None
        self.exit: Exit | None = None
        self.contradiction = ""

    @property
    def running(self) -> TestStory | None:
        """The test that has begun and not ended."""
        if not self.tests or not self.started:
            return None
        last = self.tests[self.started - 1]
        return None if last.complete else last

    @property
    def collected(self) -> list[TestStory]:
        """The collected tests, none if collection was never told of."""
        return self.tests or []

    def hear(self, event: Event | None) -> str:
        """Take in the next event; returns what is wrong with it, nothing if it fits."""
        if event is None:
            return "a line is not an event"
        if self.exit is not None or (self.finish is not None and not isinstance(event, Exit)):
            return "something was reported after the end"
        match event:
            case Collected():
                return self._hear_collected(event)
            case Start():
                return self._hear_start(event)
            case PhaseReport():
                return self._hear_phase(event)
            case Apart():
                return self._hear_apart(event)
            case _:
                self._note(event)
        return ""

    def _note(self, event: CollectError | InternalError | CannotCarry | Finish | Exit) -> None:
        match event:
            case CannotCarry():
                self.cannot_carry.append(event.what)
            case Finish():
                self.finish = event
            case Exit():
                self.exit = event
            case _:
                self.errors.append(event)

    def _hear_collected(self, event: Collected) -> str:
        if self.tests is not None:
            return "the tests were collected twice"
        if len(set(event.ids)) != len(event.ids):
            return "two tests have one name"
        self.tests = [TestStory(identity) for identity in event.ids]
        return ""

    def _hear_apart(self, event: Apart) -> str:
        if self.apart is not None or self.running is not None:
            return "the module's process was told of out of turn"
        self.apart = event
        return ""

    def _hear_start(self, event: Start) -> str:
        if self.running is not None:
            return f"{event.id} started while {self.running.id} was running"
        if self.started >= len(self.collected) or self.collected[self.started].id != event.id:
            return f"{event.id} started out of turn"
        self.started += 1
        return ""

    def _hear_phase(self, event: PhaseReport) -> str:
        test = self.running
        if test is None or test.id != event.id:
            return f"{event.id} was reported while it was not running"
        if event.event == "subtest":
            test.subtests.append(event)
            return ""
        if event.phase != test.next_phase():
            return f"{event.id}: {event.phase} was reported out of turn"
        test.phases.append(event)
        return ""


def read_story(report: str) -> Story:
    """The story that the report pipe tells, up to its end or to its first contradiction.

    A last line without an end is a write that the end of the process cut off, and no event.
    """
    story = Story()
    *lines, rest = report.split("\n")
    for line in lines:
        story.contradiction = story.hear(read_event(line))
        if story.contradiction:
            return story
    if rest and story.exit is not None:
        story.contradiction = "something was reported after the end"
    return story
