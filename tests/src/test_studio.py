"""What `langgraph dev` opens."""

import json
from importlib import import_module
from pathlib import Path

from src.graph import build_graph

ROOT = Path(__file__).parents[2]


def test_the_factory_that_it_is_told_of_makes_the_team_without_a_checkpointer() -> None:
    path, _, name = json.loads((ROOT / "langgraph.json").read_text())["graphs"]["team"].partition(":")
    module = path.removeprefix("./").removesuffix(".py").replace("/", ".")
    graph = getattr(import_module(module), name)()
    assert graph.checkpointer is None
    assert graph.get_graph().draw_mermaid() == build_graph().get_graph().draw_mermaid()
