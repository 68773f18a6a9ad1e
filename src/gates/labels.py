"""The gate that a suite's labels pass: why each test may demand what it demands."""

import ast
import re
from collections.abc import Iterator

from src.gates.examined import Spoken, spoken_of
from src.gates.examples import examples_of
from src.gates.literals import same
from src.gates.provenance import Kind, Marker, markers_of
from src.gates.quotes import is_quoted_from
from src.gates.source import FoundTest, parse
from src.gates.verdict import Verdict

FEW_ASSUMPTIONS = 2
"""As many tests may always rest on assumptions."""
MIN_WORDS = 3
"""A reason or an assumption of fewer words says nothing."""
MAX_WORDS_CHARACTERS = 300
"""The longest text of a marker: what is longer names nothing in particular."""
NAMED_AT_ONCE = 6
"""Tests that one reason names."""

_SPEAKS_OF_ERRORS = re.compile(
    r"\b(?:rais|error|exception|invalid|reject|fail|refus|throw|illegal|forbid|forbidden|disallow|abort|den[iy]|unsupported"
    r"|malformed|must\s+not|may\s+not|not\s+allowed|not\s+permitted|only\s+accept|complain)",
    re.IGNORECASE,
)
_RAISES = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
_HOW = '`@pytest.mark.request("…")`, `.example("…")`, `.property("…")` or `.assumption("…")`'


def check_provenance(tests: str, request: str) -> Verdict:
    """Refuse a suite whose labels are missing, are not true to the request, or rest on too much that was assumed.

    A suite that does not parse has no labels to refuse.
    """
    tree = parse(tests)
    if isinstance(tree, str):
        return Verdict()
    labelled = markers_of(tree)
    spoken = spoken_of(tree, request)
    single = [(test, markers[0]) for test, markers in labelled if len(markers) == 1]
    return Verdict(
        (
            *_not_labelled_once(labelled),
            *(reason for test, marker in single for reason in _against(test, marker, request, spoken)),
            *_too_much_assumed(single, len(labelled)),
        )
    )


def _not_labelled_once(labelled: list[tuple[FoundTest, list[Marker]]]) -> Iterator[str]:
    none = [test.name for test, markers in labelled if not markers]
    several = [test.name for test, markers in labelled if len(markers) > 1]
    if none:
        yield f"Every test says what it rests on, by {_HOW}; without a marker: {_listed(none)}."
    if several:
        yield f"A test rests on one thing, so it has one marker; with several: {_listed(several)}."


def _listed(names: list[str]) -> str:
    left = len(names) - NAMED_AT_ONCE
    named = ", ".join(f"`{name}`" for name in names[:NAMED_AT_ONCE])
    return f"{named} and {left} more" if left > 0 else named


def _against(test: FoundTest, marker: Marker, request: str, spoken: list[Spoken]) -> Iterator[str]:
    name, words = test.name, " ".join((marker.words or "").split())
    if not words:
        yield f'The marker `{marker.kind}` of `{name}` needs one text, written out: `{marker.kind}("…")`.'
    elif len(words) > MAX_WORDS_CHARACTERS:
        yield f"The marker of `{name}` is longer than {MAX_WORDS_CHARACTERS} characters; keep to what matters."
    elif marker.kind in ("request", "example"):
        yield from _not_in_request(name, marker.kind, marker.words or "", request)
    else:
        yield from _says_little(name, marker)
    if marker.kind == "assumption":
        yield from _is_spoken_of(name, spoken)
    elif words and (errors := _errors_expected(test)) and not _speak_of(words, errors):
        yield (
            f'`{name}` expects an error, and its marker `{marker.kind}("{words[:120]}")` does not speak of one; '
            "quote the words of the request that ask for the error, or label the test `assumption`."
        )


def _not_in_request(name: str, kind: Kind, words: str, request: str) -> Iterator[str]:
    if is_quoted_from(words, request) or (kind == "example" and _is_an_example_of(words, request)):
        return
    yield (
        f"`{name}` is labelled `{kind}`, but the request does not say “{words[:120]}”; quote its words as they stand "
        "(two at least, `…` for what is left out), or label the test `property` or `assumption`."
    )


def _is_an_example_of(words: str, request: str) -> bool:
    """Whether `words` tell, in another form, what an example of the request tells."""
    known = examples_of(request)
    if " ".join(words.split()) in {" ".join(str(example).split()) for example in known}:
        return True
    told = examples_of(words)
    return bool(told) and all(
        any(one.call.is_same(other.call) and same(one.value, other.value) for other in known) for one in told
    )


def _says_little(name: str, marker: Marker) -> Iterator[str]:
    words = marker.words or ""
    if len(re.findall(r"\w+", words)) < MIN_WORDS:
        says = "from what it follows" if marker.kind == "property" else "what was assumed"
        yield f"The marker `{marker.kind}` of `{name}` must say {says}, in a sentence; it says “{words}”."
    elif marker.kind == "assumption" and len(words.strip().splitlines()) > 1:
        yield f"The marker `assumption` of `{name}` must say in one line what was assumed."


def _is_spoken_of(name: str, spoken: list[Spoken]) -> Iterator[str]:
    for one in spoken:
        if one.test == name:
            so = "label it `example`" if one.agrees else "it contradicts that, so correct it"
            yield f"`{name}` is labelled `assumption`, but the request says it itself: `{one.example}`; {so}."
            return


def _errors_expected(test: FoundTest) -> list[str]:
    """Names of the exceptions that a test expects."""
    calls = [node for node in ast.walk(test.function) if isinstance(node, ast.Call)]
    given = [[*node.args, *(word.value for word in node.keywords)] for node in calls if _name_of(node.func) in _RAISES]
    expected = [arguments[0] for arguments in given if arguments]
    return [_name_of(part) or "error" for node in expected for part in getattr(node, "elts", [node])]


def _name_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _speak_of(words: str, errors: list[str]) -> bool:
    return bool(_SPEAKS_OF_ERRORS.search(words)) or any(error.lower() in words.lower() for error in errors)


def _too_much_assumed(single: list[tuple[FoundTest, Marker]], total: int) -> Iterator[str]:
    assumed = [test.name for test, marker in single if marker.kind == "assumption"]
    if len(assumed) > max(FEW_ASSUMPTIONS, total // 2):
        yield (
            f"{len(assumed)} of {total} tests rest on assumptions, which is more than half; a suite tests what was "
            "asked for: take out those that nobody needs, and test more of what the request says."
        )
