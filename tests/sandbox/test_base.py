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
