"""On what failing tests rest, in few words: the weakest label of each, in place of the marker in its source."""

from src.gates.provenance import own_markers, provenance_of
from src.gates.source import found_tests, lines_of, parse
from src.text import one_line

_WORDS = 120


def labels_of(suite: str) -> dict[str, str]:
    """What each test rests on; the words of an assumption stand nowhere else, those of the others in the request."""
    return {
        name: f"assumption: {one_line(label.words, _WORDS)}" if label.kind == "assumption" else label.kind
        for name, label in provenance_of(suite).items()
    }


def unlabelled(source: str) -> str:
    """The source of one test without its label; source that does not parse is left as it is."""
    tree = parse(source)
    tests = [] if isinstance(tree, str) else found_tests(tree)
    lines = lines_of(source)
    for marker in reversed(own_markers(tests[0]) if tests else []):
        del lines[marker.node.lineno - 1 : marker.node.end_lineno]
    return "\n".join(lines)
