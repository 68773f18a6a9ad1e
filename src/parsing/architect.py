"""The specification and the suite in a reply of the architect."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from src.parsing.choice import Candidate, candidates, degenerate, most_telling
from src.parsing.code import declined
from src.parsing.elision import elision, stubs
from src.parsing.errors import FormatError
from src.parsing.python import Module, Reader
from src.parsing.sections import Section, keyed, opened, sections, without_lines
from src.parsing.sources import places
from src.parsing.text import prepared
from src.reply import Reply
from src.text import clean

MAX_SPECIFICATION = 60_000
"""Longest specification that is kept, in characters."""

_RULER = re.compile(r"(?:\n\s*(?:-{3,}|\*{3,}|_{3,})[ \t]*)\Z")
_MAX_SECTIONS = 5
_PLACEHOLDER_WORDS = """
your_module yourmodule your_module_name my_module mymodule module module_name main app your_code your_file
your_solution my_solution implementation code src example package your_package mypackage my_package some_module
target_module module_under_test placeholder __main__ foo file script project your_project name_of_module
the_module
"""
_PLACEHOLDERS = frozenset(_PLACEHOLDER_WORDS.split())
"""Names that stand for the module without being it."""


@dataclass(frozen=True)
class ArchitectReply:
    """What the architect delivers."""

    specs: str
    """The specification, in Markdown."""
    tests: str
    """Source of the pytest suite."""


def parse_architect(reply: Reply, module_name: str = "solution") -> ArchitectReply:
    """The specification and the suite; raises `FormatError` when one is missing or the suite tests another module."""
    text = opened(prepared(reply))
    reader = Reader()
    parts = keyed(text)
    if "specification" in parts and "tests" in parts:
        suite, _ = suite_in(parts["tests"], reader, module_name)
        return _checked(parts["specification"], suite, module_name)
    named = sections(text, ("specification", "tests"))
    errors: list[FormatError] = []
    for section in [section for section in reversed(named) if section.part == "tests"][:_MAX_SECTIONS]:
        try:
            suite, _ = suite_in(section.text, reader, module_name)
        except FormatError as error:
            errors.append(error)
            continue
        return _checked(_beside(text, named, section), suite, module_name)
    if errors and most_telling(errors).kind not in ("no_code", "missing_tests"):
        raise most_telling(errors)
    suite, used = suite_in(text, reader, module_name)
    begin = next((s.start for s in named if s.part == "specification"), 0)
    spans = [(0, begin), *((c.block.start, c.block.end) for c in used), *((s.heading, s.start) for s in named)]
    return _checked(without_lines(text, spans), suite, module_name)


def _beside(text: str, named: Sequence[Section], tests: Section) -> str:
    """The specification of a reply whose suite has a section of its own."""
    lines = text.split("\n")
    specification = next((section for section in named if section.part == "specification"), None)
    if specification is None:
        return without_lines(text, [(tests.heading, tests.end)])
    end = tests.heading if specification.heading < tests.heading else len(lines)
    return "\n".join(lines[specification.start : end])


def suite_in(text: str, reader: Reader, module_name: str) -> tuple[Module, list[Candidate]]:
    """The tests in `text` as one module, and the blocks that they came in; raises `FormatError` when there are none."""
    errors: list[FormatError] = []
    for blocks in places(text, reader):
        found, broken = candidates(blocks, reader, "")
        errors.extend(broken)
        used = _parts(found, module_name)
        if not used:
            continue
        if broken and any(error.kind in ("truncated", "not_python") for error in broken):
            raise most_telling(broken)
        module = reader.read("\n\n".join(part.module.text for part in used))
        if isinstance(module, Module):
            return module, used
    nothing = FormatError(
        "missing_tests", "The reply holds no tests. Send a TESTS section with one ```python block of pytest tests."
    )
    raise declined(most_telling(errors) if errors else nothing, text, nothing)


def _parts(found: Sequence[Candidate], module_name: str) -> list[Candidate]:
    """The blocks that make up the suite: each one's last version, and the imports and fixtures that they share."""
    kept: list[Candidate] = []
    bound: frozenset[str] = frozenset()
    for candidate in sorted(found, key=lambda c: -c.order):
        tests = candidate.module.tests
        if tests and not tests <= bound:
            kept.append(candidate)
            bound |= tests
    if not kept:
        return []
    under_test = frozenset().union(*(_imported_from(c.module, module_name) for c in kept))
    for candidate in sorted(found, key=lambda c: -c.order):
        module = candidate.module
        shared = module.functions or (module.imports and not module.is_usage)
        if not module.tests and shared and not module.defines & (under_test | bound):
            kept.append(candidate)
            bound |= module.functions
    return sorted(kept, key=lambda c: c.order)


def _imported_from(module: Module, name: str) -> frozenset[str]:
    return frozenset().union(*(names for source, names in module.imports.items() if source == name))


def _checked(specs: str, suite: Module, module_name: str) -> ArchitectReply:
    gap = elision(suite)
    if gap is not None:
        raise FormatError("elided", f"The tests leave parts out (`{gap.strip()[:80]}`). Send the whole suite.")
    if suite.tests and suite.tests <= stubs(suite):
        raise FormatError("elided", "The tests have no bodies. Send the whole suite, every test written out.")
    if degenerate(suite.text):
        raise FormatError(
            "degenerate", "The tests repeat the same lines over and over. Send the suite again, without that."
        )
    _check_imports(suite, module_name)
    text = specs.strip().strip("-=*_ \n").strip()[:MAX_SPECIFICATION]
    if not any(character.isalnum() for character in text):
        raise FormatError(
            "missing_specification",
            "The reply holds tests but no specification. Send a SPECIFICATIONS section as well.",
        )
    return ArchitectReply(clean(_RULER.sub("", specs.strip())[:MAX_SPECIFICATION]), suite.text)


def _check_imports(suite: Module, module_name: str) -> None:
    tops = {name.partition(".")[0] if not name.startswith(".") else name for name in suite.imports}
    wrong = sorted(name for name in tops - {module_name} if name in _PLACEHOLDERS or name.startswith("."))
    if not wrong and module_name not in tops:
        wrong = sorted(suite.foreign)
    if wrong:
        raise FormatError(
            "wrong_import",
            f"The tests import from `{wrong[0]}`. The module under test is `{module_name}`: import from it.",
        )
    if module_name not in tops:
        raise FormatError("wrong_import", f"The tests never import `{module_name}`. Import what they test from it.")
