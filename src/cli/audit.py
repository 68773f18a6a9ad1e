"""`selfheal audit RUN`: every refusal, correction, dispute and decision of a run, a line each."""

from src.cli.console import open_console
from src.cli.listing import moment, show_json
from src.cli.stored import address_of, runs_of
from src.config import load_settings
from src.text import one_line


def audit_command(run_id: str, *, json: bool) -> int:
    """Show the audit trail of a run and return the exit code."""
    settings = load_settings()
    address_of(settings).check()
    trail = runs_of(settings).saved(run_id).state.get("audit", [])
    if json:
        show_json(trail)
        return 0
    console = open_console()
    for entry in trail:
        told = f"{moment(entry['when'])}  {entry['role']}  {entry['gate']}: {entry['action']}"
        console.print(one_line(f"{told}. {entry['reason']}", 1000), soft_wrap=True)
    if not trail:
        console.print("No gate refused anything, and nothing was disputed or decided.")
    return 0
