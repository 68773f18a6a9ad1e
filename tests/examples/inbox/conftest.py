"""A mailbox of the test's own, made from the sample."""

from pathlib import Path

import pytest

from examples.inbox.sample import lay_out


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the sample mailbox."""
    place = tmp_path / "inbox"
    place.mkdir()
    lay_out(place)
    return place
