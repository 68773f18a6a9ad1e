"""Tables of foreign words: they fit a terminal, and are lines with tabs where there is none."""

from collections.abc import Collection, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from src.text import one_line


def print_table(
    console: Console, headings: Sequence[str], rows: Sequence[Sequence[str]], folded: Collection[str] | None = None
) -> None:
    """Print rows under their headings, every cell cleaned. `folded`: columns that take several lines where the
    terminal is too narrow; `None`: any of them.
    """
    if not console.is_terminal:
        console.file.write("".join("\t".join(one_line(cell, 200) for cell in row) + "\n" for row in [headings, *rows]))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, overflow="fold", no_wrap=folded is not None and heading not in folded)
    for row in rows:
        table.add_row(*(Text(one_line(cell, 200)) for cell in row))
    console.print(table)
