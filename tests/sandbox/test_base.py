"""What a job may be called."""

import pytest
from pydantic import ValidationError

from sandbox import Job, is_module_name


@pytest.mark.parametrize("name", ["solution", "rate_limiter", "Limits2"])
def test_an_identifier_can_be_a_module(name: str) -> None:
    assert is_module_name(name)


@pytest.mark.parametrize(
    "name",
    ["", "a-b", "1st", "class", "é", "_hidden", "test_x", "conftest", "pytest", "os", "json", "typing", "x" * 65],
)
def test_what_cannot_be_imported_or_hides_another_module_cannot(name: str) -> None:
    assert not is_module_name(name)
    with pytest.raises(ValidationError, match="module_name"):
        Job(code="", tests="", module_name=name)


@pytest.mark.parametrize("line", ["slow", "slow: takes a minute", "request(words): what it rests on; “so”"])
def test_a_marker_is_a_line_of_pytests_setting(line: str) -> None:
    assert Job(code="", tests="", markers=(line,)).markers == (line,)


@pytest.mark.parametrize("line", ["", "1st", "a b", "slow:", "slow\nfast", "slow: a\nb", "é: x", "slow: " + "x" * 301])
def test_what_registers_no_marker_is_refused(line: str) -> None:
    with pytest.raises(ValidationError, match="registers no marker"):
        Job(code="", tests="", markers=(line,))


def test_a_job_registers_a_bounded_number_of_markers() -> None:
    with pytest.raises(ValidationError, match="markers"):
        Job(code="", tests="", markers=("slow",) * 33)
