"""`selfheal graph`: the team as a picture in Mermaid."""

from src.cli.console import write_out


def graph_command() -> int:
    """Print the picture and return the exit code."""
    from src.graph import build_graph

    write_out(build_graph().get_graph().draw_mermaid(with_styles=False))
    return 0
