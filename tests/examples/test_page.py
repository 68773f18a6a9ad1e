"""The page of the examples names files and tests that are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "examples").rglob("test_*.py"))


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([\w/]+\.(?:py|jsonl))`", PAGE))))
def test_every_file_that_it_names_is_there(name: str) -> None:
    assert (ROOT / name).is_file() or (ROOT / "examples" / name).is_file()


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(test_\w+)`", PAGE))))
def test_every_test_that_it_names_is_there(name: str) -> None:
    assert f"def {name}(" in TESTS


@pytest.mark.parametrize(("name", "file"), sorted(set(re.findall(r"`(\w+)` in\s+`([\w/]+\.py)`", PAGE))))
def test_every_name_that_it_gives_stands_in_its_file(name: str, file: str) -> None:
    path = ROOT / file if (ROOT / file).is_file() else ROOT / "examples" / file
    assert re.search(rf"\b{name}\b", path.read_text(encoding="utf-8"))
