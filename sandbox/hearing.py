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
        if story.started <= 1:
            return " before the first test"
        return " after the last test" if story.started >= len(story.collected) - 1 else ""

    @property
    def canary_fault(self) -> str:
        """What our own tests tell against a complete session; nothing if they went as they must."""
        ids = [test.id for test in self.story.collected]
        if ids != [self.canary.passes, *(test.id for test in self.tests), self.canary.fails]:
            return "tests of our own were left out, added or moved"
        return self._fault_of_passing(self.story.collected[0]) or self._fault_of_failing(self.story.collected[-1])

    def _fault_of_passing(self, test: TestStory) -> str:
        passed = _is_plain(test) and all(phase.outcome == "passed" for phase in test.phases)
        return "" if passed else f"a test of our own that must pass did not: {_first_message(test)}"

    def _fault_of_failing(self, test: TestStory) -> str:
        failures = [phase for phase in test.failures if phase is not self._late_failure]
        if not _is_plain(test) or [phase.phase for phase in failures] != ["call"]:
            return "a test of our own that must fail did not"
        return _wrong(failures[0].message, *self.canary.message)


def _is_plain(test: TestStory) -> bool:
    return not test.subtests and not any(phase.expected_to_fail for phase in test.phases)


def _first_message(test: TestStory) -> str:
    return next((phase.message[:NAMES_SHOWN] for phase in test.failures), "it was not run")


def _wrong(message: str, start: str, end: str) -> str:
    if message == start + end:
        return ""
    if not (message.startswith(start) and message.endswith(end)):
        return "a test of our own failed with another message than it must"
    names = message[len(start) : len(message) - len(end)]
    return f"these were replaced while the suite ran: {names[:NAMES_SHOWN]}"
