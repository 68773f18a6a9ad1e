"""`audit` and `graph`: they look, and change nothing."""

from examples.support_desk.desk import Desk
from examples.support_desk.graph import build_desk
from examples.support_desk.places import address_of
from examples.support_desk.state import DeskState
from src.cli.console import open_console, write_out
from src.cli.listing import moment, show_json
from src.config import load_settings
from src.text import count, one_line


def audit_command(thread: str, *, json: bool) -> int:
    """Print the refusals and the trail of a conversation."""
    address = address_of(load_settings())
    address.check()
    with address.open() as database:
        state = Desk(database, lambda _step: None).known(thread).state
    if json:
        show_json({"validation_errors": state["validation_errors"], "audit": state["audit"]})
    else:
        _print(state)
    return 0


def _print(state: DeskState) -> None:
    console = open_console()
    refusals, trail = state["validation_errors"], state["audit"]
    console.print(f"The gates refused {count(len(refusals), 'claim')}.")
    for refusal in refusals:
        console.print(f"  message {refusal['turn']}, {refusal['who']}:")
        for reason in refusal["reasons"]:
            console.print(f"    {one_line(reason, 500)}", soft_wrap=True)
    console.print(f"{count(len(trail), 'entry').replace('entrys', 'entries')} in the trail.")
    for entry in trail:
        told = f"{moment(entry['when'])}  {entry['role']}: {entry['action']}. {entry['reason']}"
        console.print(f"  {one_line(told, 1000)}", soft_wrap=True)


def graph_command() -> int:
    """Print the picture."""
    write_out(build_desk().get_graph().draw_mermaid(with_styles=False))
    return 0
