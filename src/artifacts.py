"""What a run leaves in its folder. Every file is whole or not there, and nothing of anybody else's is touched."""

import hashlib
import json
import os
import secrets
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pydantic import ValidationError

from sandbox import is_module_name
from sandbox.junit import junit_xml
from src.approvals import Approval
from src.candidates import latest_code
from src.errors import ConfigurationError
from src.gates.provenance import MARKERS, provenance_of
from src.prompts import fenced
from src.report import RunReport
from src.reported import OpenPoint, TestDispute, flaky_line
from src.state import TeamState, measured_best
from src.text import clean, one_line

REPORT_FILE = "report.json"
UNVERIFIED_FILE = "UNVERIFIED.md"
MARKERS_FILE = "conftest.py"
"""Registers the markers of the suite. A folder that has a file of this name keeps its own."""
_LEFTOVER = ".selfheal-*.tmp"
"""Files that a killed write leaves."""

_ELSEWHERE = "Name another folder with --out, or add --force to overwrite the files of these names."


def artifact_names(module_name: str) -> tuple[str, ...]:
    """Every name that a run may write, the report last."""
    return (
        f"{module_name}.py",
        f"test_{module_name}.py",
        "SPEC.md",
        "REVIEW.md",
        UNVERIFIED_FILE,
        "junit.xml",
        REPORT_FILE,
    )


def check_folder(folder: Path, module_name: str, *, force: bool = False) -> None:
    """Refuse a folder that a run could not deliver to. Changes nothing.

    Raises `ConfigurationError` when it cannot be written, or when files that are not an earlier run's are in the way.
    """
    _check_writable(folder)
    names = artifact_names(module_name)
    blocked = [name for name in names if (folder / name).is_dir() and not (folder / name).is_symlink()]
    if blocked:
        raise ConfigurationError(f"{folder} holds folders called {', '.join(blocked)}.", "Name another with --out.")
    foreign = [name for name in names if os.path.lexists(folder / name) and name not in _ours(folder)]
    if foreign and not force:
        raise ConfigurationError(
            f"{folder} holds files that no run left as they are: {', '.join(foreign)}.", _ELSEWHERE
        )


def deliver(folder: Path, state: TeamState, report: RunReport, *, force: bool = False) -> RunReport:
    """Write what there is of a run into `folder` and return its report with the hashes of the files.

    The report is written last, so that one that is there speaks of files that are there. Files that an earlier run
    left, and this one has not, are removed. Raises `ConfigurationError` as `check_folder` does, and `OSError`.
    """
    check_folder(folder, report.module_name, force=force)
    folder.mkdir(parents=True, exist_ok=True)
    for leftover in folder.glob(_LEFTOVER):
        leftover.unlink(missing_ok=True)
    texts = contents_of(state, report)
    if markers := _markers_file(folder, state.get("tests", "")):
        texts[MARKERS_FILE] = markers
    contents = {name: text.encode("utf-8", "replace") for name, text in texts.items()}
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    complete = report.model_copy(update={"files": hashes})
    stale = _ours(folder) - set(contents)
    _write_all(folder, contents | {REPORT_FILE: complete.model_dump_json(indent=2).encode() + b"\n"}, stale)
    return complete


def _markers_file(folder: Path, tests: str) -> str:
    """A file that registers the markers that `tests` carry; empty when it needs none, or another's is in its place."""
    if not provenance_of(tests) or (os.path.lexists(folder / MARKERS_FILE) and MARKERS_FILE not in _ours(folder)):
        return ""
    lines = "".join(f"    {json.dumps(line)},\n" for line in MARKERS)
    return (
        f'"""Registers what the markers of the tests mean."""\n\nMARKERS = (\n{lines})\n\n\n'
        'def pytest_configure(config):\n    for line in MARKERS:\n        config.addinivalue_line("markers", line)\n'
    )


def read_report(folder: Path) -> RunReport | None:
    """The report that an earlier run left in `folder`; `None` when there is none that can be read."""
    path = folder / REPORT_FILE
    try:
        return None if path.is_symlink() else RunReport.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def contents_of(state: TeamState, report: RunReport) -> dict[str, str]:
    """The text of every file of a run but its report; the candidate's is word for word what was tested."""
    best = measured_best(state)
    # Without a measured candidate the last one that was written is still worth having; UNVERIFIED.md says what it is.
    code = best["code"] if best else latest_code(state)
    verified = report.verdict == "VERIFIED"
    mark = "" if verified else f"> UNVERIFIED: {report.reason}\n\n"
    texts = {
        f"{report.module_name}.py": code,
        f"test_{report.module_name}.py": state.get("tests", ""),
        "SPEC.md": _document(mark, _specification(state.get("specs", ""), report)) + _changes(report),
        "REVIEW.md": _document(mark, report.review_summary),
        UNVERIFIED_FILE: "" if verified else _why_unverified(report),
        "junit.xml": junit_xml(report.test_results, report.module_name) if report.test_results else "",
    }
    return {name: text for name, text in texts.items() if text}


def _document(mark: str, text: str) -> str:
    return f"{mark}{clean(text).rstrip()}\n" if text.strip() else ""


def _specification(specs: str, report: RunReport) -> str:
    """The specification, with what it assumes and what it leaves open."""
    if not specs.strip():
        return specs
    binding = [point for point in report.assumptions if point.standing in ("stands", "settled")]
    free = [point for point in report.assumptions if point.standing in ("contested", "dropped")]
    parts = [specs.rstrip()]
    if binding:
        parts.append("## Assumptions\n\nThe request does not say this; the suite tests it all the same.")
        parts.extend(_point(point) for point in binding)
    if free:
        parts.append("## Open questions\n\nThe request does not say this, and no test of the suite demands it.")
        parts.extend(f"{_point(point)}\n\n{fenced(point.source, 'python')}" for point in free)
    if report.no_second_reading and report.assumptions:
        parts.append(f"There was no second reading: {report.no_second_reading}")
    return "\n\n".join(parts)


def _point(point: OpenPoint) -> str:
    settled = " (settled by the person who asked)" if point.standing == "settled" else ""
    answer = f"\n  Answer: {one_line(point.reading, 500)}" if point.reading else ""
    tests = ", ".join(f"`{test}`" for test in point.tests)
    asked = f"  Question: {one_line(point.question, 500)}{answer}"
    return f"* {one_line(point.words, 300)}{settled}\n{asked}\n  Tests: {tests}"


def _why_unverified(report: RunReport) -> str:
    parts = [f"# UNVERIFIED\n\n{report.reason}\n\nNothing in this folder was proved to do what was asked for."]
    if report.waits_for:
        parts.extend(_waiting(report.waits_for, report.problem.remedy if report.problem else ""))
    elif report.problem:
        parts.append(f"## What ended the run\n\n{report.problem.message}\n\n{report.problem.remedy}".rstrip())
    if report.test_results is None:
        parts.append("No candidate was tested.")
    elif report.test_results.error_summary:
        parts.append(f"## What the tests said\n\n{_indented(report.test_results.error_summary)}")
    if report.flaky:
        parts.append(f"## Tests that end by chance\n\n{flaky_line(report.flaky)}")
    if report.disputes:
        parts.append("## Disputed tests\n\n" + "\n".join(_dispute_line(dispute) for dispute in report.disputes))
    if report.rejections:
        refused = (f"* {entry.role}: {reason}" for entry in report.rejections for reason in entry.reasons)
        parts.append("## What the gates refused\n\n" + "\n".join(refused))
    tried = [one.words for one in report.candidates] + [line.words for line in report.audit if line.telling]
    if tried:
        parts.append("## What was tried\n\n" + "\n".join(f"* {words}" for words in tried))
    return clean("\n\n".join(parts)) + "\n"


def _waiting(approval: Approval, how: str) -> Iterator[str]:
    """What a paused run waits for, with all that is needed to decide. `how`: the commands that do."""
    yield f"## What it waits for\n\n{one_line(approval.question, 2000)}\n\n{_indented(how)}".rstrip()
    if approval.difference:
        yield f"### Difference\n\n{_indented(approval.difference)}"
    for name, text in approval.texts.items():
        yield f"### {name.capitalize()}\n\n{_indented(text)}"


def _changes(report: RunReport) -> str:
    """What was changed in the suite after a failure, for the end of the specification."""
    parts = [
        f"### {', '.join(dispute.tests)}\n\n{one_line(dispute.answer, 2000)}\n\n{_indented(dispute.difference)}"
        for dispute in report.disputes
        if dispute.decision == "amended"
    ]
    if not parts:
        return ""
    told = "\n## The suite was changed after a failure\n\nThe debugger disputed tests, and the architect amended them."
    return clean("\n\n".join([told, *parts])) + "\n"


def _dispute_line(dispute: TestDispute) -> str:
    return f"* {', '.join(dispute.tests)}: {dispute.decision}. {one_line(dispute.answer or dispute.reason, 2000)}"


def _indented(text: str) -> str:
    """A Markdown code block that no line of `text` can end."""
    return "\n".join(f"    {line}" for line in text.splitlines())


def _ours(folder: Path) -> set[str]:
    """Names of files in `folder` that are just as an earlier run left them."""
    report = read_report(folder)
    if report is None or not is_module_name(report.module_name):  # a name such as ../x would lead out of the folder
        return set()
    names = {*artifact_names(report.module_name), MARKERS_FILE} & set(report.files)
    return {REPORT_FILE} | {name for name in names if _hash(folder / name) == report.files[name]}


def _hash(path: Path) -> str | None:
    if path.is_symlink() or not path.is_file():
        return None
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def _check_writable(folder: Path) -> None:
    existing = next(path for path in (folder.absolute(), *folder.absolute().parents) if os.path.lexists(path))
    if not existing.is_dir():
        raise ConfigurationError(f"{existing} is not a folder.", "Name another one with --out.")
    try:
        with tempfile.TemporaryFile(dir=existing):
            return
    except OSError as error:
        raise ConfigurationError(
            f"{existing} cannot be written to: {error.strerror or error}.", "Name another folder with --out."
        ) from None


def _write_all(folder: Path, contents: Mapping[str, bytes], stale: Iterable[str]) -> None:
    """Write every file beside its place first; then put all in place, in order, within an instant."""
    staged = {folder / name: folder / f".selfheal-{secrets.token_hex(8)}.tmp" for name in contents}
    try:
        for temporary, content in zip(staged.values(), contents.values(), strict=True):
            _write_through(temporary, content)
        # No report may speak of files that are being replaced: the old one goes first, the new one comes last.
        for name in {REPORT_FILE, *stale}:
            (folder / name).unlink(missing_ok=True)
        for place, temporary in staged.items():
            temporary.replace(place)  # replaces a link itself, never what it points to
        _sync_folder(folder)
    finally:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)


def _write_through(path: Path, content: bytes) -> None:
    with path.open("xb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":  # elsewhere a folder cannot be opened
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
