"""Tables of foreign words: on a terminal, in a pipe and in a file the same."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from src.text import one_line


def print_table(console: Console, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under their headings, every cell cleaned."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(Text(one_line(cell, 200)) for cell in row))
    console.print(table)
