"""What the tests of the support desk have in common."""

from pathlib import Path

import pytest

from examples.support_desk.shop import Shop


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """A shop with its first orders."""
    return Shop(tmp_path / "shop.sqlite")
