"""The command line: options and commands. What they do is imported when it is needed, so that `--help` is instant."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from src import __version__

app = typer.Typer(
    name="selfheal",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Json = Annotated[bool, typer.Option("--json", help="One JSON report on standard output, all else on standard error.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show only the verdict.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that are in the way.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Folder for the files.", show_default=False)]


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"selfheal {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def run(
    context: typer.Context,
    prompt: Annotated[
        str | None, typer.Option("--prompt", metavar="TEXT", help="What the module must do; - reads standard input.")
    ] = None,
    prompt_file: Annotated[
        Path | None, typer.Option("--prompt-file", metavar="FILE", help="File that says what the module must do.")
    ] = None,
    example: Annotated[
        str | None, typer.Option("--example", metavar="NAME", help="Scripted example to play; needs no model.")
    ] = None,
    module_name: Annotated[
        str | None, typer.Option("--module-name", metavar="NAME", help="Import name of the module.  [solution]")
    ] = None,
    out: Out = None,
    max_iterations: Annotated[
        int | None,
        typer.Option("--max-iterations", metavar="N", min=0, max=100, help="Passes of the debugger at most."),
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Record the models' replies as a transcript.")
    ] = None,
    replay: Annotated[
        Path | None, typer.Option("--replay", metavar="FILE", help="Take the replies from a transcript.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    force: Force = False,
    _show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """A team of language models writes a Python module and proves it in a throwaway container.

    Without --prompt it plays a scripted example: replies written by hand, everything else real. No key is needed.

    Exit codes: 0 VERIFIED, 1 UNVERIFIED, 2 usage or configuration, 3 paused, 4 budget, 5 sandbox, 6 model provider,
    70 a fault of selfheal itself, 130 interrupted.
    """
    if context.invoked_subcommand is not None:
        _refuse_options(context)
        return

    def act() -> int:
        from src.cli.request import Source
        from src.cli.run import RunOptions, run_command
        from src.cli.view import Audience

        source = Source(prompt, prompt_file, example, replay, module_name)
        return run_command(source, RunOptions(out, record, force), Audience(json, quiet), max_iterations)

    _end_with(act)


@app.command()
def resume(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Name of the run.")],
    out: Out = None,
    json: Json = False,
    quiet: Quiet = False,
    force: Force = False,
) -> None:
    """Go on with a run that was interrupted or failed; nothing that was paid for is paid for again."""

    def act() -> int:
        from src.cli.resume import resume_command
        from src.cli.view import Audience

        return resume_command(run, out, Audience(json, quiet), force=force)

    _end_with(act)


@app.command()
def doctor() -> None:
    """Say what is there and what is missing: container engine, image, keys, models. Calls no model."""

    def act() -> int:
        from src.cli.doctor import doctor_command

        return doctor_command()

    _end_with(act)


def _refuse_options(context: typer.Context) -> None:
    """Options of a run before a command would do nothing; saying so is better than ignoring them."""
    for name in context.params:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            option = "--" + name.replace("_", "-")
            raise typer.BadParameter(
                f"{option} belongs to a run; put options of {context.invoked_subcommand} after it."
            )


def _end_with(act: Callable[[], int]) -> NoReturn:
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
