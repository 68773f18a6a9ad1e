"""The team for `langgraph dev` and Studio, which bring a checkpointer of their own."""

from src.config import load_settings
from src.graph import TeamGraph, build_graph


def make_graph() -> TeamGraph:
    """The team as the settings want it, without a checkpointer."""
    settings = load_settings()
    return build_graph(max_corrections=settings.max_corrections, min_tests=settings.min_tests)
