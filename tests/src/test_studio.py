"""What `langgraph dev` opens."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from src.graph import build_graph

ROOT = Path(__file__).parents[2]


GRAPHS: dict[str, str] = json.loads((ROOT / "langgraph.json").read_text())["graphs"]


def made(name: str) -> Any:
    """The graph of that name, as `langgraph dev` makes it."""
    path, _, factory = GRAPHS[name].partition(":")
    module = path.removeprefix("./").removesuffix(".py").replace("/", ".")
    return getattr(import_module(module), factory)()


@pytest.mark.parametrize("name", GRAPHS)
def test_each_graph_is_made_without_a_checkpointer(name: str) -> None:
    assert made(name).checkpointer is None


def test_the_team_is_the_whole_of_it() -> None:
    assert made("team").get_graph().draw_mermaid() == build_graph().get_graph().draw_mermaid()
