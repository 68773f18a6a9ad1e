"""From what was heard of a test to its entry in the report: bounded, and with the lines of the sources it names."""

from sandbox.base import Job
from sandbox.failure import one_line, relevant, shorten
from sandbox.protocol import Facts, PhaseReport
from sandbox.report import Comparison, ModuleFrame, TestOutcome
from sandbox.story import TestStory

ID_CHARACTERS = 300
MESSAGE_CHARACTERS = 500
TRACEBACK_CHARACTERS = 6000
PRINTED_CHARACTERS = 2500
SOURCE_CHARACTERS = 200
NAME_CHARACTERS = 120
SIDE_CHARACTERS = 450
VALUE_CHARACTERS = 150
FRAMES = 8
VALUES = 12


def outcome_of(test: TestStory, job: Job, running: bool) -> TestOutcome:
    """The entry of `test`. `running`: the run ended within it."""
    told = test.failures or [report for report in [*test.phases, *test.subtests] if report.outcome == "skipped"]
    message = told[0].message if told else ""
    if running and not told:
        message = "was running when the run was stopped"
    tracebacks = "\n\n".join(relevant(report.traceback) for report in test.failures if report.traceback)
    outcome = TestOutcome(
        id=one_line(shown(test.id, job), ID_CHARACTERS),
        outcome=test.outcome,
        seconds=round(sum(report.seconds for report in test.phases), 6),
        message=one_line(message, MESSAGE_CHARACTERS),
        traceback=shorten(tracebacks, TRACEBACK_CHARACTERS),
        stdout=_printed(test.phases, "stdout"),
        stderr=_printed(test.phases, "stderr"),
    )
    facts = test.failures[0].facts if test.failures else None
    return outcome if facts is None else outcome.model_copy(update=_known(facts, job))


def shown(identity: str, job: Job) -> str:
    """Name of a test within the suite."""
    return identity.removeprefix(f"{job.suite_file}::")


def _printed(phases: list[PhaseReport], stream: str) -> str:
    return shorten("".join(getattr(phase, stream) for phase in phases), PRINTED_CHARACTERS)


def _known(facts: Facts, job: Job) -> dict[str, object]:
    compared = facts.comparison
    sides = compared and Comparison(
        left=one_line(compared.left, SIDE_CHARACTERS),
        operator=one_line(compared.operator, NAME_CHARACTERS),
        right=one_line(compared.right, SIDE_CHARACTERS),
    )
    frames = [
        ModuleFrame(
            function=one_line(frame.function, NAME_CHARACTERS),
            line=frame.line,
            source=_line(job.code, frame.line),
            values={
                one_line(name, NAME_CHARACTERS): one_line(value, VALUE_CHARACTERS)
                for name, value in list(frame.values.items())[:VALUES]
            },
        )
        for frame in facts.frames[:FRAMES]
    ]
    return {
        "exception": one_line(facts.exception, NAME_CHARACTERS),
        "line": facts.line,
        "source": "" if facts.line is None else _line(job.tests, facts.line),
        "comparison": sides,
        "frames": frames,
    }


def _line(source: str, number: int) -> str:
    """Line `number` of `source`, as Python counts them; nothing where there is no such line."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return one_line(lines[number - 1], SOURCE_CHARACTERS) if 0 < number <= len(lines) else ""
