"""Only what helps to mend a failure, in a bounded text: what a debugger gets to read."""

import re
from collections.abc import Sequence

from sandbox.protocol import CollectError, InternalError
from sandbox.report import ModuleFrame, TestOutcome

SUMMARY_CHARACTERS = 6000
TRACEBACK_CHARACTERS = 2500
DETAIL_CHARACTERS = 1200
PRINTED_CHARACTERS = 600
LINE_CHARACTERS = 300
FRAME_START = re.compile(r"\S+:\d+: in |\s+File \"")
NOT_OURS = re.compile(r"/opt/selfheal/|/importlib/|/_pytest/|/pluggy/|<frozen importlib")
LOOKED_AT = 300
LEAST_ROOM = 400
"""With less room than this a failure gets one line in place of its traceback."""


def shorten(text: str, room: int, unit: str = "characters") -> str:
    """`text` in about `room` characters: its start and its end."""
    if len(text) <= room:
        return text
    half = room // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} {unit} left out …]\n{text[-half:]}"


def one_line(text: str, room: int = LINE_CHARACTERS) -> str:
    """`text` on a single line of at most `room` characters."""
    line = " ".join(text.split())
    return line if len(line) <= room else f"{line[: room - 1]}…"


def relevant(traceback: str) -> str:
    """`traceback` without the frames of pytest and of the import machinery, unless it has no others."""
    kept: list[str] = []
    within_foreign_frame = False
    for line in traceback.splitlines():
        start = line[:LOOKED_AT]
        if FRAME_START.match(start):
            within_foreign_frame = NOT_OURS.search(start) is not None
        elif not start.startswith(" "):
            within_foreign_frame = False
        if not within_foreign_frame:
            kept.append(line)
    return "\n".join(kept).strip("\n") or traceback


def summarise(reason: str, errors: Sequence[CollectError | InternalError], tests: Sequence[TestOutcome]) -> str:
    """The reason, what could not be collected, then each test that is not green: the first in full, the rest in lines.

    The result has at most about `SUMMARY_CHARACTERS` characters.
    """
    parts = [f"{reason}\n"] if reason else []
    for error in errors:
        where = error.id if isinstance(error, CollectError) else "pytest"
        parts.append(_in_full(f"ERROR {one_line(where)}", error.message, relevant(error.traceback)))
    red = [test for test in tests if test.outcome != "passed"]
    full = [_in_full(_headline(test), test.message, test.traceback) + details(test) for test in red]
    return _fit("\n".join(parts), full, [_brief(test) for test in red])


def details(test: TestOutcome) -> str:
    """What its traceback does not show: where it failed, both sides, values within the module, what was printed."""
    parts = []
    if test.line is not None and f":{test.line}: in " not in test.traceback:
        parts.append(f"line {test.line} of the suite: {test.source}\n")
    compared = test.comparison
    if compared is not None and not (compared.left in test.traceback and compared.right in test.traceback):
        parts.append(f"left of {compared.operator}: {compared.left}\nright of it: {compared.right}\n")
    parts.append(shorten("".join(_values(frame) for frame in test.frames), DETAIL_CHARACTERS))
    for stream, text in (("output", test.stdout), ("error output", test.stderr)):
        if text.strip():
            parts.append(f"its {stream}:\n{indented(shorten(text.rstrip(), PRINTED_CHARACTERS))}\n")
    return "".join(parts)


def _values(frame: ModuleFrame) -> str:
    if not frame.values:
        return ""
    values = "".join(f"    {name} = {value}\n" for name, value in frame.values.items())
    return f"in {frame.function}, at line {frame.line} of the module ({frame.source}):\n{values}"


def indented(text: str) -> str:
    """`text`, every line of it moved in, so that none can pass for one of ours."""
    return "\n".join(f"    {line}" for line in text.splitlines())


def _headline(test: TestOutcome) -> str:
    return f"{test.outcome.upper().replace('_', ' ')} {one_line(test.id)}"


def _brief(test: TestOutcome) -> str:
    return one_line(f"{_headline(test)}: {test.message}" if test.message else _headline(test)) + "\n"


def _in_full(headline: str, message: str, traceback: str) -> str:
    body = shorten(traceback or message, TRACEBACK_CHARACTERS)
    return f"{headline}\n{body}\n" if body else f"{headline}\n"


def _fit(text: str, full: list[str], brief: list[str]) -> str:
    text = shorten(text, SUMMARY_CHARACTERS - LEAST_ROOM)
    for done, (long, short) in enumerate(zip(full, brief, strict=True)):
        lines_to_come = sum(len(line) for line in brief[done + 1 :])
        room = SUMMARY_CHARACTERS - len(text) - min(lines_to_come, SUMMARY_CHARACTERS // 4)
        chosen = long if len(long) <= max(room, 0) else short
        if len(text) + len(chosen) > SUMMARY_CHARACTERS - 60:
            return f"{text}… and {len(full) - done} more\n"
        text += ("\n" if chosen is long and text else "") + chosen
    return text
