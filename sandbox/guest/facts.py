"""What is known of a failure beyond its text: the exception's type, both sides of an assertion, calls in the module."""

import inspect
import os
import types
from itertools import islice

TYPE_CHECKING = False  # for type checkers alone: the guest's files are no package where they run
if TYPE_CHECKING:
    from sandbox.guest.values import cut, describe, type_name
else:
    from values import cut, describe, type_name

SIDE = 400
"""Characters of one side of an assertion."""
NAME = 100
FRAMES = 6
VALUES = 10
LAST_LINE = 1_000_000


class Witness:
    """Sees assertions fail and exceptions arrive. Runs no code of the job."""

    def __init__(self, job_dir: str) -> None:
        self.job_dir = job_dir
        self.sides: dict[str, str] = {}
        self.failed_at: tuple[types.CodeType | None, int] = (None, 0)

    def compared(self, operator: str, left: object, right: object) -> None:
        """An assertion of the suite compared `left` with `right` and fails."""
        self.sides = {"left": describe(left, SIDE), "operator": cut(operator, NAME), "right": describe(right, SIDE)}
        frame = inspect.currentframe()
        while frame is not None and self._place(frame.f_code) != "suite":
            frame = frame.f_back
        self.failed_at = (frame.f_code, frame.f_lineno) if frame else (None, 0)

    def facts(self, error: BaseException) -> dict[str, object]:
        """What is known of `error`, bounded, as plain data."""
        entries = _entries(error)
        in_suite = [entry for entry in entries if self._place(entry.tb_frame.f_code) == "suite"]
        in_module = [entry for entry in entries if self._place(entry.tb_frame.f_code) == "module"]
        kept = in_module if len(in_module) <= FRAMES else [in_module[0], *in_module[1 - FRAMES :]]
        compared = bool(entries) and (entries[-1].tb_frame.f_code, entries[-1].tb_lineno) == self.failed_at
        return {
            "exception": cut(type_name(type(error)), NAME),
            "line": _line(in_suite[-1]) if in_suite else None,
            "comparison": self.sides if compared else None,
            "frames": [_frame(entry) for entry in kept],
        }

    def _place(self, code: types.CodeType) -> str:
        """`suite` or `module`, by the file; nothing if it is neither. Suites alone may be named `test_…`."""
        folder, name = os.path.split(code.co_filename)
        if folder != self.job_dir:
            return ""
        return "suite" if name.startswith("test_") else "module"


def _entries(error: BaseException) -> list[types.TracebackType]:
    entries: list[types.TracebackType] = []
    entry = BaseException.__dict__["__traceback__"].__get__(error)
    while entry is not None:
        entries.append(entry)
        entry = entry.tb_next
    return entries


def _frame(entry: types.TracebackType) -> dict[str, object]:
    code = entry.tb_frame.f_code
    return {"function": cut(code.co_qualname, NAME), "line": _line(entry), "values": _values(entry.tb_frame)}


def _line(entry: types.TracebackType) -> int:
    """Code that was made by hand may have no lines, or any."""
    line: int | None = entry.tb_lineno
    return min(max(line or 0, 0), LAST_LINE)


def _values(frame: types.FrameType) -> dict[str, str]:
    """The local values of a function; those of a module or a class body are too many to help."""
    if not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        return {}
    return {cut(name, NAME): describe(value) for name, value in islice(dict(frame.f_locals).items(), VALUES)}
