"""`remember`, `preferences`, `forget`, `audit` and `graph`: the owner's words, and what was done."""

from collections.abc import Iterator
from contextlib import contextmanager

from examples.inbox.graph import build_inbox
from examples.inbox.places import address_of, preferences_of
from examples.inbox.preferences import Preferences
from examples.inbox.work import Work
from src.cli.console import open_console, write_out
from src.cli.listing import moment, show_json
from src.config import load_settings
from src.text import one_line


def remember_command(text: str) -> int:
    """Keep a preference."""
    with _preferences() as preferences:
        kept = preferences.remember(text)
        rules = preferences.rules
    console = open_console()
    console.print(f"Kept as {kept.key}: {kept.text}", soft_wrap=True)
    console.print(f"Meetings: {rules.minutes} minutes, from {rules.earliest} to {rules.latest}.")
    return 0


def preferences_command(*, json: bool) -> int:
    """List the preferences."""
    with _preferences() as preferences:
        every, rules = preferences.all(), preferences.rules
    if json:
        show_json([vars(one) for one in every])
        return 0
    console = open_console()
    for one in every:
        console.print(f"{one.key}  {moment(one.when)}  {one.text}", soft_wrap=True)
    console.print(f"Meetings: {rules.minutes} minutes, from {rules.earliest} to {rules.latest}.")
    return 0


def forget_command(key: str) -> int:
    """Forget a preference."""
    with _preferences() as preferences:
        preferences.forget(key)
    return 0


@contextmanager
def _preferences() -> Iterator[Preferences]:
    settings = load_settings()
    address = address_of(settings)
    address.check()
    with address.open() as database:
        yield preferences_of(settings, database)


def audit_command(*, json: bool) -> int:
    """Print the trail of all runs."""
    address = address_of(load_settings())
    address.check()
    with address.open() as database:
        trail = [entry for state in Work(database, lambda _step: None).every() for entry in state["audit"]]
    trail.sort(key=lambda entry: entry["when"])  # drafts that were on their way at once handed theirs over one by one
    if json:
        show_json(trail)
        return 0
    console = open_console()
    for entry in trail:
        told = f"{moment(entry['when'])}  {entry['role']}  {entry['gate']}: {entry['action']}. {entry['reason']}"
        console.print(one_line(told, 1000), soft_wrap=True)
    if not trail:
        console.print("Nothing was refused, decided or sent.")
    return 0


def graph_command() -> int:
    """Print the picture."""
    write_out(build_inbox().get_graph(xray=True).draw_mermaid(with_styles=False))
    return 0
