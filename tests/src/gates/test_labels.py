"""A label that is not true to the request is refused, with what to do about it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from src.gates.examined import check_examples
from src.gates.labels import check_provenance
from src.gates.quotes import is_quoted_from

REQUEST = """Write `double(n)`, which **doubles** a number.

* `double(2)` returns `4`.
* A text is refused
  with a "TypeError".
> Nothing is printed; the result is new.
"""


def suite(*tests: str) -> str:
    return "import pytest\nfrom solution import double\n\n" + "\n".join(tests)


def labelled(kind: str, words: str, body: str = "assert double(5) == 10", name: str = "test_x") -> str:
    return f"@pytest.mark.{kind}({words!r})\ndef {name}() -> None:\n    {body}\n"


def reasons(*tests: str) -> str:
    return "\n".join(check_provenance(suite(*tests), REQUEST).reasons)


RAISES = "with pytest.raises(TypeError):\n        double('a')"


@pytest.mark.parametrize(
    "test",
    [
        labelled("request", "doubles a number"),
        labelled("request", "Which DOUBLES a number."),
        labelled("request", "“A text is refused with a TypeError”", RAISES),
        labelled("request", "A text … TypeError", RAISES),
        labelled("request", "nothing is printed ... is new"),
        labelled("example", "`double(2)` returns `4`", "assert double(2) == 4"),
        labelled("example", "double(2) == 4", "assert double(2) == 4"),
        labelled("property", "doubling a number adds it to itself"),
        labelled("property", "what is refused raises TypeError, whatever text it is", RAISES),
        labelled("assumption", "a list raises TypeError", RAISES),
    ],
)
def test_an_honest_label_passes(test: str) -> None:
    assert reasons(test) == ""


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("def test_x() -> None:\n    assert double(1) == 2\n", "without a marker: `test_x`"),
        ("@pytest.mark.request('doubles a number')\n" + labelled("property", "it adds up"), "several: `test_x`"),
        ("@pytest.mark.request\ndef test_x(): pass\n", "needs one text"),
        ("@pytest.mark.request(f'doubles {1}')\ndef test_x(): pass\n", "needs one text"),
        (labelled("request", "   "), "needs one text"),
        (labelled("request", "triples a number"), "does not say “triples a number”"),
        (labelled("request", "oubles a number"), "does not say"),
        (labelled("request", "number"), "does not say"),
        (labelled("request", "…"), "does not say"),
        (labelled("request", "TypeError … a number"), "does not say"),
        (labelled("example", "double(2) == 5", "assert double(2) == 5"), "does not say"),
        (labelled("example", "double(3) returns 6", "assert double(3) == 6"), "does not say"),
        (labelled("request", "doubles a number", RAISES), "quote the words of the request that ask for the error"),
        (labelled("property", "doubling is adding twice", RAISES), "or label the test `assumption`"),
        (labelled("property", "obvious"), "must say from what it follows"),
        (labelled("assumption", "unclear"), "must say what was assumed"),
        (labelled("assumption", "a list is\nrefused too"), "in one line"),
        (labelled("assumption", "x " * 200), "longer than 300 characters"),
        (labelled("assumption", "two gives four, say", "assert double(2) == 4"), "label it `example`"),
        (labelled("assumption", "two gives five, say", "assert double(2) == 5"), "contradicts that"),
    ],
)
def test_a_dishonest_label_is_refused_with_the_reason(test: str, said: str) -> None:
    assert said in reasons(test)


def test_few_assumptions_pass_and_more_than_half_do_not() -> None:
    assumed = [labelled("assumption", "numbers may be large", name=f"test_a{n}") for n in range(3)]
    asked = [labelled("request", "doubles a number", name=f"test_r{n}") for n in range(3)]
    assert reasons(*assumed[:2]) == ""
    assert reasons(*assumed, *asked) == ""
    assert "3 of 5 tests rest on assumptions" in reasons(*assumed, *asked[:2])


def test_one_reason_names_what_lacks_a_marker() -> None:
    bare = [f"def test_{n}(): assert double(1) == 2\n" for n in range(9)]
    (reason,) = check_provenance(suite(*bare), REQUEST).reasons
    assert reason.endswith("`test_0`, `test_1`, `test_2`, `test_3`, `test_4`, `test_5` and 3 more.")


@pytest.mark.parametrize(
    ("words", "text", "quoted"),
    [
        ("a negative n", "A *negative* `n`\nraises", True),
        ("one two", "1. one\n2. two", True),
        ("negative in", "negative integers", False),
        ("two one", "one two", False),
        ("one … two", "two, then one", False),
        ("“is” 'it'", "is it?", True),
        ("", "", False),
        ("... two words", "the two words", True),
    ],
)
def test_words_are_compared_as_people_would(words: str, text: str, quoted: bool) -> None:
    assert is_quoted_from(words, text) is quoted


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("assert double(2) == 4", ""),
        ("assert double(2) == pytest.approx(4.0)", ""),
        ("assert double(3) == 6", "no test covers: `double(2)` is to give `4` (“* `double(2)` returns `4`.”)"),
        ("assert double(2) == 5", "`test_x` expects another value of `double(2)`"),
        ("assert double(2) == 5\n    assert double(2) == 4", ""),
    ],
)
def test_each_example_of_the_request_is_covered(body: str, said: str) -> None:
    verdict = check_examples(suite(labelled("example", "double(2) returns 4", body)), REQUEST, "solution")
    assert said in "\n".join(verdict.reasons)
    assert verdict.passed is (not said)


def test_an_example_of_something_else_need_not_be_covered() -> None:
    other = "from solution import other\ndef test_x(): assert other(1) == 1\n"
    assert check_examples(other, REQUEST, "solution").passed
    assert check_examples("def test_x(:", REQUEST, "solution").passed


def test_not_every_missing_example_is_told_at_once() -> None:
    request = "\n".join(f"double({n}) == {2 * n}" for n in range(20))
    found = check_examples(suite(labelled("property", "a b c", "pass")), request, "solution").reasons
    assert (len(found), found[-1]) == (6, "15 more examples of the request are left out or contradicted.")


LINES = st.sampled_from(
    [
        "import pytest\n",
        "from solution import double\n",
        *(labelled(kind, "doubles a number") for kind in ("request", "example", "property", "assumption")),
        "@pytest.mark.parametrize('n', [2])\n",
        "    assert double(2) == 4\n",
        f"    {RAISES}\n",
        "class TestIt:\n",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(), st.lists(LINES, max_size=12).map("".join)), st.one_of(st.just(REQUEST), st.text()))
def test_no_suite_or_request_makes_the_gates_raise(tests: str, request_text: str) -> None:
    for verdict in (check_provenance(tests, request_text), check_examples(tests, request_text, "solution")):
        assert all(reason.strip() and len(reason) < 3000 for reason in verdict.reasons)


@given(st.text(), st.text("ab \n"), st.text("ab \n"))
def test_what_stands_in_a_text_is_found_there(words: str, before: str, after: str) -> None:
    if is_quoted_from(words, words):
        assert is_quoted_from(words, f"{before}, {words}, {after}")
