"""What `langgraph dev` opens."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from sandbox.fake import FakeSandbox
from src import studio
from src.cli.crew import Crew
from src.config import load_settings
from tests.conftest import Team
from tests.src.runs.test_travel import HEALED, judge

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


def test_the_team_makes_a_whole_run_of_a_request_without_any_context(monkeypatch: pytest.MonkeyPatch) -> None:
    team = Team(FakeSandbox(judge, series=judge), "a", **HEALED)
    monkeypatch.setattr(studio, "_settings", lambda: load_settings(ROOT, min_tests=1, second_reading=False))
    monkeypatch.setattr(studio, "_crew", lambda: Crew(team.models, {}))
    monkeypatch.setattr(studio, "_sandbox", lambda: team.context.sandbox)
    told = made("team").invoke({"user_request": "Answer."}, context={})
    assert (told["status"], told["best"]["test_results"]["status"]) == ("completed", "passed")
    assert set(told) == {"status", "specs", "tests", "best", "review_summary"}


def test_a_form_can_be_made_of_what_the_team_is_asked_and_tells() -> None:
    graph = made("team")
    assert set(graph.get_input_jsonschema()["properties"]) == {"user_request", "module_name"}
    assert "best" in graph.get_output_jsonschema()["properties"]
    assert "team:debugger" in str(graph.get_graph(xray=1).nodes)
