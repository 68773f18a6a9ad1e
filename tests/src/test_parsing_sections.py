"""The parts of a reply of the architect, the debugger and the reviewer."""

# ruff: noqa: E501 - a case is one line

import json

import pytest

from src.parsing import FormatError, parse_architect, parse_debugger, parse_review
from src.reply import Reply

SPEC = "`add(a, b)` returns the sum."
SUITE = "from solution import add\n\n\ndef test_small():\n    assert add(1, 2) == 3\n"
MORE = "from solution import add\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n"
OLD = "def add(a, b):\n    return a - b\n"
NEW = "def add(a, b):\n    return a + b\n"
TWO = "def add(a, b):\n    return a - b\n\n\ndef sub(a, b):\n    return a - b\n"
TWO_NEW = "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n"


def fence(code: str, tag: str = "python", mark: str = "```") -> str:
    return f"{mark}{tag}\n{code}{mark}\n"


def complete(text: str) -> Reply:
    return Reply(text, "complete")


ARCHITECT = {
    "the headings that were asked for": f"### SPECIFICATIONS\n\n{SPEC}\n\n### TESTS\n\n{fence(SUITE)}",
    "headings with numbers": f"## 1. Specification\n\n{SPEC}\n\n## 2. Test Suite (pytest)\n\n{fence(SUITE)}",
    "closed headings": f"# Specification #\n{SPEC}\n# Tests #\n{fence(SUITE)}",
    "headings with marks inside": f"### **Specifications**\n{SPEC}\n### `test_solution.py`\n{fence(SUITE)}",
    "headings without a space": f"###SPECIFICATIONS\n{SPEC}\n###TESTS\n{fence(SUITE)}",
    "rulers between the parts": f"---\n### SPECIFICATIONS\n{SPEC}\n\n---\n\n### TESTS\n{fence(SUITE)}\n---\n",
    "plain words with a colon": f"Specification:\n\n{SPEC}\n\nTests:\n\n{fence(SUITE)}",
    "bold words with a colon inside": f"**Specification:**\n{SPEC}\n\n**Pytest suite:**\n{fence(SUITE)}",
    "no headings": f"{SPEC}\n\n{fence(SUITE)}",
    "a greeting first": f"Sure!\n\n### SPECIFICATIONS\n{SPEC}\n\n### TESTS\n{fence(SUITE)}\nGood luck!",
    "thinking first": f"<think>\n### TESTS\n{fence(MORE)}</think>\n### SPECIFICATIONS\n{SPEC}\n### TESTS\n{fence(SUITE)}",
    "tests first": f"### TESTS\n{fence(SUITE)}\n### SPECIFICATIONS\n{SPEC}\n",
    "a document in a fence": f"```markdown\n### SPECIFICATIONS\n{SPEC}\n\n### TESTS\n{fence(SUITE)}```\n",
    "a document in a longer fence": f"````markdown\n### SPECIFICATIONS\n{SPEC}\n\n### TESTS\n{fence(SUITE)}````\n",
    "Windows line ends": f"### SPECIFICATIONS\n{SPEC}\n\n### TESTS\n{fence(SUITE)}".replace("\n", "\r\n"),
    "no word on the fence": f"### SPECIFICATIONS\n{SPEC}\n\n### TESTS\n{fence(SUITE, '')}",
    "a fence that is never closed": f"### SPECIFICATIONS\n{SPEC}\n\n### TESTS\n```python\n{SUITE}",
    "JSON": json.dumps({"specs": SPEC, "tests": SUITE}),
    "JSON in a fence": fence(json.dumps({"specifications": SPEC, "test_code": SUITE}) + "\n", "json"),
    "JSON with a fenced suite": json.dumps({"specification": SPEC, "tests": fence(SUITE)}),
    "JSON with nested parts": json.dumps({"specification": {"purpose": SPEC, "raises": "nothing"}, "tests": {"code": SUITE}}),
    "elements": f"<specification>\n{SPEC}\n</specification>\n<tests>\n{SUITE}</tests>\n",
    "elements with a fence": f"<specifications>\n{SPEC}\n</specifications>\n\n<tests>\n{fence(SUITE)}</tests>\n",
    "an example in the specification": f"### SPECIFICATIONS\n{SPEC}\n{fence('add(1, 2)')}\n### TESTS\n{fence(SUITE)}",
    "an example test in the specification": f"### SPECIFICATIONS\n{SPEC}\n{fence(MORE)}\n### TESTS\n{fence(SUITE)}",
    "the module as well": f"### SPECIFICATIONS\n{SPEC}\n### TESTS\n{fence(SUITE)}\n### IMPLEMENTATION\n{fence(NEW)}",
    "a command at the end": f"### SPECIFICATIONS\n{SPEC}\n### TESTS\n{fence(SUITE)}\nRun:\n{fence('pytest -q', 'bash')}",
    "a draft and the final suite": f"### SPECIFICATIONS\n{SPEC}\n### TESTS\n{fence(SUITE.replace('3', '4'))}\nNo:\n{fence(SUITE)}",
    "no fence around the tests": f"### SPECIFICATIONS\n{SPEC}\n### TESTS\n{SUITE}",
}  # fmt: skip


@pytest.mark.parametrize("shape", ARCHITECT)
def test_specification_and_suite_are_told_apart_in(shape: str) -> None:
    got = parse_architect(complete(ARCHITECT[shape]))
    assert got.tests == SUITE
    assert SPEC in got.specs
    assert "def test_small" not in got.specs
    assert "Sure!" not in got.specs


def test_a_suite_in_several_blocks_is_joined_in_order() -> None:
    text = f"### SPECIFICATIONS\n{SPEC}\n### TESTS\nNormal:\n{fence(SUITE)}\nEdges:\n{fence(MORE)}"
    assert parse_architect(complete(text)).tests == f"{SUITE}\n\n{MORE}"


def test_fixtures_in_a_block_of_their_own_belong_to_the_suite() -> None:
    shared = "import pytest\n\n\n@pytest.fixture\ndef pair():\n    return 1, 2\n"
    tests = "from solution import add\n\n\ndef test_pair(pair):\n    assert add(*pair) == 3\n"
    text = f"### SPECIFICATIONS\n{SPEC}\n### TESTS\n{fence(shared)}\n{fence(tests)}"
    assert parse_architect(complete(text)).tests == f"{shared}\n\n{tests}"


def test_the_specification_keeps_its_own_headings_and_examples() -> None:
    spec = f"{SPEC}\n\n#### Errors\n\nNone.\n\n{fence('add(1, 2)  # 3' + chr(10))}"
    got = parse_architect(complete(f"### SPECIFICATIONS\n{spec}\n### TESTS\n{fence(SUITE)}"))
    assert got.specs == spec.strip()


def test_another_module_name_may_be_agreed() -> None:
    suite = SUITE.replace("solution", "adder")
    assert parse_architect(complete(f"{SPEC}\n\n{fence(suite)}"), "adder").tests == suite


@pytest.mark.parametrize("line", ["import solution", "import solution as s", "from solution import *"])
def test_any_way_to_import_the_module_will_do(line: str) -> None:
    suite = f"{line}\n\n\ndef test_it():\n    assert True\n"
    assert parse_architect(complete(f"{SPEC}\n\n{fence(suite)}")).tests == suite


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"{SPEC}\n\n{fence(SUITE.replace('solution', 'your_module'))}", "wrong_import"),
        (f"{SPEC}\n\n{fence(SUITE.replace('solution', '.solution'))}", "wrong_import"),
        (f"{SPEC}\n\n{fence(SUITE.replace('solution', 'src.solution'))}", "wrong_import"),
        (f"{SPEC}\n\n{fence(SUITE.replace('solution', 'adder'))}", "wrong_import"),
        (f"{SPEC}\n\n{fence('def test_one():' + chr(10) + '    assert True' + chr(10))}", "wrong_import"),
        (f"### SPECIFICATIONS\n{SPEC}\n### TESTS\nThe developer writes them.", "missing_tests"),
        (f"### SPECIFICATIONS\n{SPEC}\n### TESTS\n{fence(NEW)}", "missing_tests"),
        (fence(SUITE), "missing_specification"),
        (f"### TESTS\n{fence(SUITE)}", "missing_specification"),
        (f"### SPECIFICATIONS\n\n### TESTS\n{fence(SUITE)}", "missing_specification"),
        (f"### SPECIFICATIONS\n{SPEC}\n### TESTS\n```python\n{SUITE}\n\ndef test_b():\n    assert add(", "truncated"),
        (f"### SPECIFICATIONS\n{SPEC}\n### TESTS\n{fence(SUITE + 'def test_b(:' + chr(10))}", "not_python"),
        (f"### SPECIFICATIONS\n{SPEC}\n### TESTS\n{fence(SUITE + chr(10) + '# ... more tests ...' + chr(10))}", "elided"),
        (f"### SPECIFICATIONS\n{SPEC}\n### TESTS\n{fence('import solution' + chr(10) * 2 + 'def test_a():' + chr(10) + '    pass' + chr(10))}", "elided"),
        ("I'm sorry, I can't help with that.", "refusal"),
        ("", "empty"),
    ],
)  # fmt: skip
def test_a_reply_without_a_part_is_refused(text: str, kind: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_architect(complete(text))
    assert caught.value.kind == kind


DEBUGGER = {
    "the headings that were asked for": f"### DIAGNOSIS\nIt subtracts.\n\n### PATCHED_CODE\n{fence(NEW)}",
    "the fault shown in the diagnosis": f"### DIAGNOSIS\nIt subtracts.\n{fence(OLD)}\n### PATCHED_CODE\n{fence(NEW)}",
    "bold headings": f"**Diagnosis:**\nIt subtracts.\n\n**Patched code:**\n{fence(NEW)}",
    "no headings": f"It subtracts.\n\n{fence(NEW)}",
    "code first": f"### PATCHED_CODE\n{fence(NEW)}\n### DIAGNOSIS\nIt subtracts.",
    "JSON": json.dumps({"diagnosis": "It subtracts.", "patched_code": NEW}),
    "elements": f"<diagnosis>It subtracts.</diagnosis>\n<patched_code>\n{NEW}</patched_code>\n",
    "a unified diff": f"It subtracts.\n\n{fence('@@ -1,2 +1,2 @@' + chr(10) + ' def add(a, b):' + chr(10) + '-    return a - b' + chr(10) + '+    return a + b' + chr(10), 'diff')}",
    "a diff without line numbers": f"It subtracts.\n\n{fence('-    return a - b' + chr(10) + '+    return a + b' + chr(10), 'diff')}",
    "search and replace": "It subtracts.\n\n```\n<<<<<<< SEARCH\n    return a - b\n=======\n    return a + b\n>>>>>>> REPLACE\n```\n",
    "no fence around the code": f"### DIAGNOSIS\nIt subtracts.\n\n### PATCHED_CODE\n{NEW}",
    "tests shown after the code": f"It subtracts.\n\n{fence(NEW)}\n{fence(SUITE)}",
}  # fmt: skip


@pytest.mark.parametrize("shape", DEBUGGER)
def test_diagnosis_and_patched_module_are_told_apart_in(shape: str) -> None:
    got = parse_debugger(complete(DEBUGGER[shape]), previous_code=OLD)
    assert got.code == NEW
    assert "It subtracts." in got.diagnosis
    assert "return a + b" not in got.diagnosis


def test_a_diff_is_applied_at_the_place_it_names() -> None:
    hunk = "@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n"
    got = parse_debugger(complete(fence("--- a/solution.py\n+++ b/solution.py\n" + hunk, "diff")), previous_code=TWO)
    assert got.code == TWO_NEW


def test_several_hunks_are_applied() -> None:
    text = "@@ @@\n def add(a, b):\n-    return a - b\n+    return b + a\n@@ @@\n def sub(a, b):\n-    return a - b\n+    return -b + a\n"
    got = parse_debugger(complete(fence(text, "diff")), previous_code=TWO)
    assert got.code == "def add(a, b):\n    return b + a\n\n\ndef sub(a, b):\n    return -b + a\n"


def test_code_alone_has_an_empty_diagnosis() -> None:
    assert parse_debugger(complete(fence(NEW))).diagnosis == ""


def test_private_helpers_may_go() -> None:
    before = OLD + "\n\ndef _unused():\n    return 1\n"
    assert parse_debugger(complete(fence(NEW)), previous_code=before).code == NEW


@pytest.mark.parametrize(
    ("text", "previous", "kind"),
    [
        (fence(OLD), OLD, "unchanged"),
        (fence("# fixed\n" + OLD), OLD, "unchanged"),
        (fence(NEW), TWO, "missing_names"),
        (fence(NEW + "\n\n# ... the rest is unchanged ...\n"), TWO, "elided"),
        (fence("-    return x\n+    return y\n", "diff"), OLD, "diff"),
        (fence("-    return a - b\n+    return a + b\n", "diff"), TWO, "diff"),
        ("The code is right as it is.", OLD, "no_code"),
        (f"### DIAGNOSIS\nIt subtracts.\n### PATCHED_CODE\n{fence(NEW + chr(10) + '# ... same as before' + chr(10))}", TWO, "elided"),
    ],
)  # fmt: skip
def test_a_reply_without_a_whole_changed_module_is_refused(text: str, previous: str, kind: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_debugger(complete(text), previous_code=previous)
    assert caught.value.kind == kind


def test_a_review_is_its_text() -> None:
    assert parse_review(complete("<think>well</think>\nGood.\n\n* short\n")) == "Good.\n\n* short"


def test_a_review_loses_its_fence_and_its_control_characters() -> None:
    assert parse_review(complete("Fine.\x1b[31m\x00")) == "Fine."


def test_what_is_kept_as_prose_cannot_steer_a_terminal() -> None:
    design = "### SPECIFICATIONS\n\n\x1b]0;TITLE\x07Adds \x1b[31mtwo\x1b[0m numbers.\n\n### TESTS\n\n```python\n" + (
        "from solution import add\n\n\ndef test_it():\n    assert add(1, 1) == 2\n```\n"
    )
    assert parse_architect(complete(design)).specs == "Adds two numbers."
    patch = "### DIAGNOSIS\n\nIt \x1b[2Jsubtracts.\n\n### PATCHED_CODE\n\n```python\ndef add(a, b):\n    return a + b\n```\n"
    assert parse_debugger(complete(patch)).diagnosis == "It subtracts."


def test_a_long_or_cut_review_ends_in_an_ellipsis() -> None:
    assert len(parse_review(complete("word " * 10_000))) < 8_100
    assert parse_review(Reply("It is goo", "truncated")) == "It is goo …"


@pytest.mark.parametrize(("reply", "kind"), [(complete(" \n"), "empty"), (Reply("Good.", "blocked"), "blocked")])
def test_a_review_that_is_not_there_is_refused(reply: Reply, kind: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_review(reply)
    assert caught.value.kind == kind
