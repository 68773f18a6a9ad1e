"""A session as it was told, with our own tests (the canary) told apart from those of the suite."""

from functools import cached_property

from sandbox.canary import Canary
from sandbox.protocol import PhaseReport
from sandbox.story import Story, TestStory

NAMES_SHOWN = 200


class Hearing:
    """The story of a run whose session was given `canary`."""

    def __init__(self, story: Story, canary: Canary) -> None:
        self.story = story
        self.canary = canary

    def _is_ours(self, test: TestStory) -> bool:
        return test.id.startswith(f"{self.canary.file}::")

    @cached_property
    def tests(self) -> list[TestStory]:
        """The tests of the suite.

        A fixture that lives as long as the session is torn down after the last test of all, which may be ours. What
        goes wrong there belongs to the last test of the suite.
        """
        tests = [test for test in self.story.collected if not self._is_ours(test)]
        if tests and self._late_failure is not None:
            tests[-1].late = self._late_failure
        return tests

    @property
    def _late_failure(self) -> PhaseReport | None:
        last = self.story.collected[-1]
        torn_down = last.phases[-1] if last.complete and self._is_ours(last) else None
        return torn_down if torn_down is not None and torn_down.outcome == "failed" else None

    @property
    def running(self) -> TestStory | None:
        """The test of the suite that has begun and not ended."""
        running = self.story.running
        return None if running is None or self._is_ours(running) else running

    @property
    def place(self) -> str:
        """Where the session was when it ended, for the end of a sentence; nothing when it was over, or within a test
        of the suite."""
        story = self.story
        if story.tests is None:
            return "" if story.errors else " while the suite was being imported"
        if story.finish is not None or self.running is not None or not self.tests:
            return ""
        if story.started <= len(self.canary.before):
            return " before the first test"
        return " after the last test" if story.started >= len(story.collected) - len(self.canary.after) else ""

    @property
    def canary_fault(self) -> str:
        """What our own tests tell against a complete session; nothing if they went as they must."""
        ids = [test.id for test in self.story.collected]
        wanted = [*self.canary.before, *(test.id for test in self.tests), *self.canary.after]
        if ids != wanted:
            return "tests of our own were left out, added or moved"
        faults = [self._fault(test) for test in self.story.collected if self._is_ours(test)]
        return next((fault for fault in faults if fault), "")

    def _fault(self, test: TestStory) -> str:
        phases = [phase for phase in test.phases if phase is not self._late_failure]
        failures = [phase for phase in phases if phase.outcome == "failed"]
        expected = self.canary.messages.get(test.id)
        plain = not test.subtests and not any(phase.expected_to_fail for phase in test.phases)
        if expected is None:
            passed = plain and all(phase.outcome == "passed" for phase in phases)
            return "" if passed else "a test of our own that must pass did not"
        if not plain or [phase.phase for phase in failures] != ["call"]:
            return "a test of our own that must fail did not"
        return _wrong(failures[0].message, *expected)


def _wrong(message: str, start: str, end: str) -> str:
    if message == start + end:
        return ""
    if not (message.startswith(start) and message.endswith(end)):
        return "a test of our own failed with another message than it must"
    names = message[len(start) : len(message) - len(end)]
    return f"these were replaced while the suite ran: {names[:NAMES_SHOWN]}"
