"""What a suite's source says about the tests that must run."""

import pytest

from sandbox.suite import defined_tests, missing_tests

DEFINED = {
    "functions, async ones too": (
        "def test_a(): ...\nasync def test_b(): ...\ndef helper(): ...",
        {"test_a", "test_b"},
    ),
    "methods of test classes": (
        "class TestA:\n def test_b(self): ...\n class TestC:\n  def test_d(self): ...",
        {"TestA::test_b", "TestA::TestC::test_d"},
    ),
    "unittest cases of any name": (
        "import unittest\nclass Limiter(unittest.TestCase):\n def test_a(self): ...\n def help(self): ...",
        {"Limiter::test_a"},
    ),
    "not other classes": ("class Helper:\n def test_a(self): ...", set()),
    "not classes that opt out": ("class TestA:\n __test__ = False\n def test_a(self): ...", set()),
    "not fixtures": (
        "import pytest\n@pytest.fixture\ndef test_data(): ...\n@pytest.fixture()\ndef test_b(): ...",
        set(),
    ),
    "not what may not exist": ("import sys\nif sys.platform == 'win32':\n def test_a(): ...", set()),
}


@pytest.mark.parametrize("kind", DEFINED)
def test_defined(kind: str) -> None:
    source, names = DEFINED[kind]

    assert defined_tests(source) == frozenset(names)


@pytest.mark.parametrize("source", ["def test_a(:", "x = '\0'", "-" * 100_000 + "1"])
def test_a_source_that_cannot_be_parsed_has_unknown_tests(source: str) -> None:
    assert defined_tests(source) is None


def test_missing_tests_are_those_without_any_case() -> None:
    collected = ["test_a[1]", "test_a[x]", "TestB::test_c"]

    assert missing_tests({"test_a", "TestB::test_c", "test_gone"}, collected) == ["test_gone"]
