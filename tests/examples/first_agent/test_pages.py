"""The page of the example shows the graphs as they are."""

from pathlib import Path

import pytest

from examples.first_agent import __file__ as package
from tests.examples.graphs import GRAPHS

PAGE = Path(package).with_name("README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["loop", "approval", "feedback"])
def test_its_pictures_are_the_graphs(name: str) -> None:
    assert f"```mermaid\n{GRAPHS[name]().get_graph(xray=True).draw_mermaid(with_styles=False)}```" in PAGE
