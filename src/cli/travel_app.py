"""The commands that go back in a run: options only; what they do is imported when it is needed."""

from pathlib import Path
from typing import Annotated

import typer

from src.cli.options import end_with, option, run_names

Run = Annotated[str, typer.Argument(metavar="RUN", help="Name of the run.", autocompletion=run_names)]
At = Annotated[str, option("--at", "Step, by its number in `selfheal history RUN` or by its checkpoint.", "STEP")]
Set = Annotated[
    list[str] | None,
    option("--set", "New value of code, tests, specs, user_request, max_iterations, …; @FILE reads it.", "KEY=VALUE"),
]
Model = Annotated[
    list[str] | None, option("--model", "Model of a role; several of one role are tried side by side.", "ROLE=MODEL")
]
Level = Annotated[list[str] | None, option("--level", "Thinking level of a role.", "ROLE=LEVEL")]
Env = Annotated[Path | None, option("--env", "File of settings, read after .env and .env.local.", "FILE")]
Thread = Annotated[str | None, option("--thread", "Name of the new run.", "NAME")]
Out = Annotated[Path | None, option("--out", "Folder for the files.  [out/<run>]", "DIR")]
Dollars = Annotated[float | None, option("--budget", "Dollars that the run may cost in all.", "USD", min=0)]
Tokens = Annotated[int | None, option("--max-tokens", "Tokens that the run may use in all.", "N", min=0)]
Json = Annotated[bool, option("--json", "JSON on standard output, all else on standard error.")]
Quiet = Annotated[bool, option("--quiet", "Show only the verdict.")]
Force = Annotated[bool, option("--force", "Overwrite files that are in the way.")]


def add_travel(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (replay, fork, diff):
        app.command()(command)


def replay(
    run: Run,
    at: At,
    out: Out = None,
    budget: Dollars = None,
    max_tokens: Tokens = None,
    json: Json = False,
    quiet: Quiet = False,
    force: Force = False,
) -> None:
    """Run again from a step of a run; the models are asked anew."""

    def act() -> int:
        from src.cli.audience import Audience
        from src.cli.travel import replay_command

        flags = {"budget": budget, "max_tokens": max_tokens}
        return replay_command(run, at, out, Audience(json, quiet), flags, force=force)

    end_with(act)


def fork(
    run: Run,
    at: At,
    set_: Set = None,
    model: Model = None,
    level: Level = None,
    env: Env = None,
    thread: Thread = None,
    out: Out = None,
    budget: Dollars = None,
    max_tokens: Tokens = None,
    json: Json = False,
    quiet: Quiet = False,
    force: Force = False,
) -> None:
    """Make a new run from a step of another one, which stays as it is.

    The new one may have other models and an edited state, which passes the gates of a model's text. Several models
    for one role make several forks, which run side by side: the first that is VERIFIED wins, and the others stop.
    """

    def act() -> int:
        from src.cli.audience import Audience
        from src.cli.travel import ForkOptions, fork_command

        options = ForkOptions(run, at, set_ or [], model or [], level or [], env, thread, out, force)
        return fork_command(options, Audience(json, quiet), {"budget": budget, "max_tokens": max_tokens})

    end_with(act)


def diff(
    run_a: Annotated[str, typer.Argument(metavar="RUN_A", help="One run.", autocompletion=run_names)],
    run_b: Annotated[str, typer.Argument(metavar="RUN_B", help="The other.", autocompletion=run_names)],
    json: Json = False,
) -> None:
    """Compare two runs: outcome, tokens, cost, suite and code."""

    def act() -> int:
        from src.cli.difference import diff_command

        return diff_command(run_a, run_b, json=json)

    end_with(act)
