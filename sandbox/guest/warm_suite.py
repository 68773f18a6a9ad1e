"""What suites use most, run once before the job is there. Two tests fail on purpose: explaining a failure is costly."""

import sys

import pytest


class TestInAClass:
    """The first of all tests."""

    def test_a_method(self) -> None:
        assert 1 + 1 == 2


@pytest.fixture
def three() -> int:
    return 3


@pytest.mark.parametrize("text", ["a", "b"])
def test_with_fixtures(
    text: str, three: int, tmp_path: object, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sys.stdout.write(text)
    monkeypatch.setenv("WARM", "1")
    assert capsys.readouterr().out == text
    assert three == 3
    assert tmp_path


def test_what_is_raised_and_nearly_equal() -> None:
    with pytest.raises(ValueError, match="no"):
        raise ValueError("no")
    assert sum([0.1, 0.2]) == pytest.approx(0.3)
    assert "a" not in "b"
    assert {"a": 1} != {"a": 2}


def test_that_fails_by_a_comparison() -> None:
    found = {"a": [number + 1 for number in (1, 2)], "b": "one\ntwo"}
    assert found == {"a": [2, 4], "b": "one\nthree"}, "on purpose"


def test_that_fails_by_an_exception() -> None:
    raise KeyError("on purpose")
