"""One failing test in words: in full with values, or in a line."""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from sandbox import Comparison, ModuleFrame, TestOutcome, indented, shorten
from src.text import one_line

FAILED_HERE = "  # failed here"
"""Stands behind the line of a test in which it failed."""
_MESSAGE, _SIDE, _VALUE = 250, 200, 60
_BRIEF_SIDE, _BRIEF_SOURCE, _OTHERS = 40, 120, 400
_TRACEBACK, _FRAMES, _PRINTED = 1500, 900, 600
_CALLS = re.compile(r"\+ where .*")
"""From which calls pytest says that the sides came."""
_DIFFERENCE = re.compile(r"(?:At index|Left contains|Right contains|Differing items|Extra items|\+ where) .*")
"""The same, or where it says that they differ."""
_CODE = re.compile(r"<(?:function|class|module|built-in)\b")
"""Values that tell nothing: what they are stands in the module."""
_ADVICE = "Use -v to get more diff"
_NAMED = 4
"""Tests that are named in one line."""


def in_full(test: TestOutcome, source: str = "", label: str = "") -> str:
    """What it failed with, where, both sides of its assertion, the values within the module, what it printed.

    `source`: the test's own, in which the line is marked; else the line is told by itself. `label`: what it rests on.
    """
    marked = _marked(source, test.source)
    parts = [f"{_outcome(test)} {one_line(test.id)}{_bracketed(label)}: {_failure(test)}"]
    if test.source and marked == source:
        parts.append(f"at line {test.line} of the suite: {test.source}")
    if compared := test.comparison:
        left, right = _sides(compared, _SIDE)
        parts += [f"left of {compared.operator}: {left}", f"right: {right}"]
    elif not test.frames and test.traceback:
        parts.append(shorten(test.traceback, _TRACEBACK))
    parts += _frames(test.frames)
    for stream, text in (("output", test.stdout), ("error output", test.stderr)):
        if text.strip():
            parts.append(f"its {stream}:\n{indented(shorten(text.rstrip(), _PRINTED))}")
    return "\n".join([*parts, marked]).rstrip("\n") + "\n"


def _marked(source: str, failed: str) -> str:
    """A test's source with a remark at the line where it failed; unchanged where more than one line may be meant."""
    lines = source.split("\n")
    meant = [number for number, line in enumerate(lines) if failed and line.strip() == failed]
    if len(meant) == 1:
        lines[meant[0]] += FAILED_HERE
    return "\n".join(lines)


def in_lines(tests: Sequence[TestOutcome], most: int, labels: Mapping[str, str], known: Collection[str] = ()) -> str:
    """A line for each way of failing, at most so many; of the others the tests are named and the cases counted.

    `labels`: what tests rest on, told with those that are not `known`, whose source and label are told already.
    """
    unknown = {name: label for name, label in labels.items() if name not in known}
    lines: list[str] = []
    done, told_of = 0, set(known)
    for told, group in groupby(tests, lambda test: f"{_outcome(test)} {{}}: {_in_short(test, known)}\n"):
        alike = list(group)
        if len(lines) == most:
            break
        names = named([f"{test.id}{_bracketed(unknown.get(base_of(test.id), ''))}" for test in alike])
        lines.append(told.replace("{}", names, 1))
        done += len(alike)
        told_of.update(base_of(test.id) for test in tests[:done])
    left = tests[done:]
    others = ", ".join(
        f"{name}{_bracketed(unknown.get(name, ''))}"
        for name in dict.fromkeys(base_of(test.id) for test in left)
        if name not in told_of
    )
    return "".join(lines) + (
        f"… and {len(left)} more{': ' if others else ''}{one_line(others, _OTHERS)}\n" if left else ""
    )


def base_of(identity: str) -> str:
    """Name of a test without the parameters of this case."""
    return identity.partition("[")[0]


def named(tests: Sequence[str], most: int = _NAMED) -> str:
    """The names of tests in a row, further cases of one by their parameters, at most so many."""
    names = [one_line(name, 160) for name in tests[:most]]
    before = ["", *map(base_of, names)]
    short = [
        name.removeprefix(base) if base == base_of(name) and "[" in name else name
        for base, name in zip(before, names, strict=False)
    ]
    return ", ".join(short) + (f" and {len(tests) - most} more" if len(tests) > most else "")


def _bracketed(label: str) -> str:
    return f" ({label})" if label else ""


def _outcome(test: TestOutcome) -> str:
    return test.outcome.upper().replace("_", " ")


def _failure(test: TestOutcome) -> str:
    """Type and message, each once; the sides of an assertion have lines of their own."""
    name, message = test.exception.rpartition(".")[2], one_line(test.message, _MESSAGE)
    if test.comparison:
        own, assertion, sides = message.partition("assert ")
        whole = "…" not in "".join(_sides(test.comparison, _SIDE))
        found = (_CALLS if whole else _DIFFERENCE).search(sides)
        message = f"{own}{found[0] if found else ''}" if assertion else message
    message = message.strip().removesuffix(":").removesuffix(_ADVICE).rstrip()
    told = message if not name or message.startswith(name) else f"{name}: {message}"
    return told.removesuffix(": ") or "failed"


def _sides(compared: Comparison, room: int) -> tuple[str, str]:
    return one_line(compared.left, room), one_line(compared.right, room)


def _in_short(test: TestOutcome, known: Collection[str]) -> str:
    where = "" if base_of(test.id) in known or not test.source else f"{one_line(test.source, _BRIEF_SOURCE)}: "
    if compared := test.comparison:
        left, right = _sides(compared, _BRIEF_SIDE)
        return f"{where}{left} {compared.operator} {right}"
    return f"{where}{one_line(test.message)}"


def _frames(frames: list[ModuleFrame]) -> list[str]:
    """The call that the test made and the one that raised; those between are counted."""
    parts = [_frame(frame) for frame in (frames if len(frames) < 3 else [frames[0], frames[-1]])]
    if len(frames) > 2:
        parts.insert(1, f"… {len(frames) - 2} calls between …")
    return [shorten("\n".join(parts), _FRAMES)] if parts else []


def _frame(frame: ModuleFrame) -> str:
    values = "".join(
        f"\n    {name} = {one_line(value, _VALUE)}" for name, value in frame.values.items() if not _CODE.match(value)
    )
    return f"in {frame.function}, at line {frame.line} of the module ({frame.source}){':' if values else ''}{values}"
