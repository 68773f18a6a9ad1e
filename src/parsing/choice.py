"""Which of the modules in a reply is the one that was asked for?"""

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from src.parsing.diffs import Misfit, applied, changes_in, has_searches, looks_like_diff
from src.parsing.elision import elision, only_stubs, stubs
from src.parsing.errors import FormatError
from src.parsing.markdown import Block
from src.parsing.python import Function, Module, Reader, top_level
from src.parsing.repair import module_in

_CODE_ON_FENCE_LINE = re.compile(r"(?:(?:python3?|py)[ \t]+)?((?:(?:def|class|import|from|async def)\b|@).*)\Z", re.I)
_FILE_NAME = re.compile(r"([\w-]+)\.(pyi?|md|txt|toml|cfg|ya?ml|json|sh)\b", re.I)
_FILE_COMMENT = re.compile(r"#[#=\-\s]*(?:file(?:name)?:\s*)?[`'\"]?(?:[\w-]+/)*[\w-]+\.py\b[`'\"]?[#=\-:\s]*\Z", re.I)
_PYTHON_TAGS = frozenset({"python", "py", "python3", "py3", "ipython", "pycon", "code", "solution", "patched_code"})
_SUPERSEDED = re.compile(
    r"\b(?:before|original\w*|old|buggy|broken|wrong|incorrect|previous\w*|first (?:try|attempt|draft)|draft|naive"
    r"|alternativ\w*|instead of|not recommended|bad|do not|don't|current|failing)\b",
    re.I,
)
_FINAL = re.compile(
    r"\b(?:after|fixed|final\w*|corrected|correct|new|right|improved|patched|solution|updated|complete[d]?|rewritten|now)\b",
    re.I,
)
_SHOWN = re.compile(r"\b(?:usage|examples?|how to use|try it|demo|run it|outputs?|quick start|call it)\b", re.I)
_MAX_REPEATS = 30


@dataclass(frozen=True)
class Candidate:
    """A module and the block that it came from."""

    block: Block
    module: Module
    order: int


def candidates(blocks: Sequence[Block], reader: Reader, previous: str) -> tuple[list[Candidate], list[FormatError]]:
    """The blocks that are Python, and why the others that look like it are not."""
    found: list[Candidate] = []
    errors: list[FormatError] = []
    for order, block in enumerate(_edits_joined([part for whole in blocks for part in _files(whole)])):
        text = block.text
        if looks_like_diff(text, block.tag):
            try:
                text = applied(changes_in(text), previous)
            except Misfit as misfit:
                again = "Send the changes again, each with lines as they stand in the module, or the whole module."
                errors.append(FormatError("diff", f"The answer is a diff that cannot be applied. {misfit} {again}"))
                continue
        on_line = _CODE_ON_FENCE_LINE.match(block.info)
        module = module_in(text, reader, on_line[1] if on_line else "")
        if isinstance(module, Module):
            found.append(Candidate(block, module, order))
        elif _claims_python(block):
            errors.append(_why_not(block, module))
    return found, errors


def _edits_joined(blocks: list[Block]) -> list[Block]:
    """The same blocks; search-and-replace blocks in several fences are one answer."""
    edits = [block for block in blocks if has_searches(block.text)]
    if len(edits) < 2:
        return blocks
    whole = replace(edits[-1], text="\n".join(block.text for block in edits))
    return [whole if block is edits[-1] else block for block in blocks if block is edits[-1] or block not in edits]


def _files(block: Block) -> list[Block]:
    """The files that one block holds, told apart by comments with their names."""
    lines = block.text.split("\n")
    starts = [number for number, line in enumerate(lines) if _FILE_COMMENT.match(line)]
    if not starts or not any(line.strip() for line in lines[: starts[-1]]):
        return [block]
    bounds = [0, *(number for number in starts if number), len(lines)]
    return [replace(block, text="\n".join(lines[start:end]) + "\n") for start, end in pairwise(bounds)]


def _claims_python(block: Block) -> bool:
    return block.tag in _PYTHON_TAGS or re.search(r"^\s*(?:def|class) \w", block.text, re.M) is not None


def _why_not(block: Block, error: SyntaxError) -> FormatError:
    if not block.closed:
        return FormatError(
            "truncated", "The code breaks off and its block is never closed. Send the whole module again."
        )
    line = (error.text or "").strip()[:80]
    where = f" at line {error.lineno}" if error.lineno else ""
    shown = f": `{line}`" if line else ""
    return FormatError(
        "not_python", f"The code is not valid Python 3 ({error.msg}{where}{shown}). Send the corrected, whole module."
    )


def choose(found: Sequence[Candidate], names: frozenset[str], reader: Reader, previous: str = "") -> Candidate:
    """The best candidate, joined with the parts it needs; raises `FormatError` when none will do."""
    flawed = [(candidate, flaw(candidate.module, names)) for candidate in found]
    good = [candidate for candidate, reason in flawed if reason is None]
    support = [candidate for candidate, _ in flawed if _is_support(candidate.module)]
    before = reader.read(previous) if previous.strip() else None
    changed = [c for c in good if not (isinstance(before, Module) and same(c.module, before))]
    if not changed:
        if good:
            raise FormatError(
                "unchanged", "The code is the same as before. Send the whole module with the fault mended."
            )
        reasons = [reason for _, reason in flawed if reason is not None]
        raise most_telling([*reasons, FormatError("no_code", NO_CODE)])
    best = max(changed, key=partial(_rank, names=names, others=changed))
    best = _continued(best, found, reader)
    best = _joined(best, changed, support, names, reader)
    missing = best.module.missing(names)
    if missing:
        raise FormatError(
            "missing_names",
            f"The module does not define {', '.join(missing[:10])}. Send the whole module with all of it.",
        )
    return best


NO_CODE = "The reply holds no Python module. Send the whole module in one ```python block."


def most_telling(errors: Iterable[FormatError]) -> FormatError:
    """The error that says most to the author."""
    order = (
        "unchanged",
        "elided",
        "truncated",
        "missing_names",
        "diff",
        "degenerate",
        "not_python",
        "refusal",
        "no_code",
    )
    return min(errors, key=lambda error: order.index(error.kind) if error.kind in order else len(order))


def same(one: Module, other: Module) -> bool:
    """Whether two modules differ in nothing but layout and comments."""
    return ast.dump(one.tree) == ast.dump(other.tree)


def flaw(module: Module, names: frozenset[str]) -> FormatError | None:
    """Why a module cannot be what was asked for; `None` when it can."""
    gap = elision(module)
    if gap is not None and (module.functions or module.defines):
        return FormatError(
            "elided", f"The code leaves parts out (`{gap.strip()[:80]}`). Send the whole module, nothing left out."
        )
    if module.is_suite:
        return FormatError(
            "no_code", "The reply holds tests but no module. Send the whole module in one ```python block."
        )
    asked_for = bool(names) and names <= module.defines
    if not asked_for and (module.is_usage or not (module.functions or module.defines & names)):
        return FormatError("no_code", NO_CODE)
    empty = sorted(stubs(module) & names) or (sorted(stubs(module)) if only_stubs(module) else [])
    if empty:
        return FormatError(
            "elided", f"{', '.join(empty[:10])} has no body. Send the whole module, every function written out."
        )
    if _is_fragment(module):
        return FormatError("elided", "The code is a method without its class. Send the whole module.")
    if degenerate(module.text):
        return FormatError(
            "degenerate", "The code repeats the same lines over and over. Send the module again, without that."
        )
    return None


def _is_support(module: Module) -> bool:
    only = ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign | ast.Expr
    return (
        not module.functions and bool(module.defines) and all(isinstance(node, only) for node in top_level(module.tree))
    )


def _is_fragment(module: Module) -> bool:
    own = [node for node in top_level(module.tree) if isinstance(node, Function)]
    return bool(own) and all(node.args.args and node.args.args[0].arg in ("self", "cls") for node in own)


def degenerate(text: str) -> bool:
    """Whether the same one to four lines follow each other again and again."""
    lines = [line.strip() for line in text.split("\n")]
    lines = [line for line in lines if len(line) > 2 and not line.startswith("#") and not line.endswith(",")]
    for period in (1, 2, 3, 4):
        run = 0
        for before, after in zip(lines, lines[period:], strict=False):
            run = run + 1 if before == after else 0
            if run >= _MAX_REPEATS * period:
                return True
    return False


def _rank(candidate: Candidate, names: frozenset[str], others: Sequence[Candidate]) -> tuple[int | bool, ...]:
    block, module = candidate.block, candidate.module
    file = _FILE_NAME.search(f"{block.info} {block.lead} {block.text[:80] if block.text.startswith('#') else ''}")
    return (
        len(module.defines & names),
        not _superseded(f"{block.section} {block.lead}") or bool(_FINAL.search(block.lead)),
        not (_SHOWN.search(block.lead) and not _FINAL.search(block.lead)),
        not (file and _is_side_file(file)),
        not (module.needs - _star(module)),
        not module.foreign & {"solution"},
        block.tag in _PYTHON_TAGS or not block.tag or block.tag.endswith((".py", "txt", "text")),
        not any(_covers(other.module, module) for other in others if other is not candidate),
        candidate.order,
    )


def _superseded(text: str) -> bool:
    return _SUPERSEDED.search(text) is not None and _FINAL.search(text) is None


def _star(module: Module) -> frozenset[str]:
    """Names that may come from elsewhere at run time cannot be called missing."""
    return module.needs if any("*" in names for names in module.imports.values()) else frozenset()


def _is_side_file(file: re.Match[str]) -> bool:
    stem = file[1].lower()
    return stem.startswith("test") or stem.endswith("_test") or stem in (
        "conftest", "example", "examples", "usage", "demo", "setup", "main", "__init__"
    )  # fmt: skip


def _covers(whole: Module, part: Module) -> bool:
    """Whether `part` shows nothing that `whole` does not also hold, word for word."""
    return len(part.members) < len(whole.members) and part.members.items() <= whole.members.items()


def _continued(best: Candidate, found: Sequence[Candidate], reader: Reader) -> Candidate:
    """A class goes on in the next block when that holds nothing but further, indented methods."""
    for other in found:
        if other.order <= best.order or not _is_fragment(other.module) or other.block.text[:1] not in (" ", "\t"):
            continue
        module = reader.read(f"{best.module.text}\n{other.block.text}")
        if isinstance(module, Module) and best.module.members.items() < module.members.items():
            best = Candidate(best.block, module, best.order)
    return best


def _joined(
    best: Candidate, good: Sequence[Candidate], support: Sequence[Candidate], names: frozenset[str], reader: Reader
) -> Candidate:
    parts = [best]
    rest = sorted((c for c in [*good, *support] if c is not best), key=lambda c: -c.order)
    grown = True
    while grown and len(parts) < 30:
        grown = False
        bound = frozenset().union(*(part.module.defines for part in parts))
        needs = frozenset().union(*(part.module.needs for part in parts)) - bound
        for other in rest:
            if other not in parts and _belongs(other, bound, needs, names):
                parts.append(other)
                grown = True
                break
    if len(parts) == 1:
        return best
    parts.sort(key=lambda part: part.order)
    module = reader.read("\n\n".join(part.module.text for part in parts))
    return Candidate(best.block, module, best.order) if isinstance(module, Module) else best


def _belongs(other: Candidate, bound: frozenset[str], needs: frozenset[str], names: frozenset[str]) -> bool:
    module = other.module
    if module.functions & bound or module.foreign & {"solution"}:
        return False
    if module.defines & needs or module.defines & (names - bound):
        return True
    shown = _SHOWN.search(other.block.lead) or _superseded(other.block.lead)
    return bool(not names and module.functions and other.block.tag in _PYTHON_TAGS and not shown)
