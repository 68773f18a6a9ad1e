"""What every command has in common: how an option is written down, and how a command ends."""

from collections.abc import Callable
from typing import Any, NoReturn

import typer


def option(name: str, told: str, metavar: str | None = None, **more: Any) -> Any:
    """An option of a command. `told`: its line in the help."""
    return typer.Option(name, help=told, metavar=metavar, show_default=False, **more)


def run_names(incomplete: str) -> list[str]:
    """Names of runs that begin so, for the shell."""
    from src.cli.stored import complete_name

    return complete_name(incomplete)


def end_with(act: Callable[[], int]) -> NoReturn:
    """Do it and exit with its code; our own faults are told in two lines, what happened and what to do."""
    from sandbox import SandboxError
    from src.cli.console import complain
    from src.errors import ExitCode, TeamError

    try:
        code = act()
    except TeamError as error:
        complain(error.message, error.remedy)
        code = error.exit_code
    except SandboxError as error:
        complain(error.message, error.remedy)
        code = ExitCode.SANDBOX
    except KeyboardInterrupt:
        complain("interrupted.")
        code = ExitCode.INTERRUPTED
    raise typer.Exit(int(code))
