"""The command line: options and commands. What they do is imported when it is needed, so that `--help` is instant."""

from pathlib import Path
from typing import Annotated

import typer

from src import __version__
from src.cli.lessons_app import add_lessons
from src.cli.options import end_with as _end_with
from src.cli.options import option as _option
from src.cli.options import run_names
from src.cli.travel_app import add_travel

app = typer.Typer(
    name="selfheal",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"selfheal {__version__}")
        raise typer.Exit


Prompt = Annotated[str | None, _option("--prompt", "What the module must do; - reads standard input.", "TEXT")]
PromptFile = Annotated[Path | None, _option("--prompt-file", "File that says what the module must do.", "FILE")]
Example = Annotated[str | None, _option("--example", "Scripted example to play; needs no model.", "NAME")]
ModuleName = Annotated[str | None, _option("--module-name", "Import name of the module.  [solution]", "NAME")]
Thread = Annotated[str | None, _option("--thread", "Name of the run.  [made from the request]", "NAME")]
Out = Annotated[Path | None, _option("--out", "Folder for the files.  [out/<run>]", "DIR")]
Iterations = Annotated[int | None, _option("--max-iterations", "Passes of the debugger at most.", "N", min=0, max=100)]
Developers = Annotated[
    int | None, _option("--developers", "Developers that write a module each.  [1]", "N", min=1, max=8)
]
Assume = Annotated[str | None, _option("--assume", "What the request leaves open: list, drop or ask.  [list]", "HOW")]
OneReading = Annotated[bool, _option("--no-second-reading", "Do not have the request read a second time.")]
Approve = Annotated[str | None, _option("--approve", "Where you decide: spec,code,patch,dispute,escalation.", "POINTS")]
Decision = Annotated[str | None, _option("--decision", "approve, edit, reject or abort.", "WORD")]
Notes = Annotated[str | None, _option("--notes", "What the author is told, or why.", "TEXT")]
Code = Annotated[Path | None, _option("--code", "Module in place of the one to be decided on.", "FILE")]
Spec = Annotated[Path | None, _option("--spec", "Specification in place of the one to be decided on.", "FILE")]
Tests = Annotated[Path | None, _option("--tests", "Suite in place of the one to be decided on.", "FILE")]
NoLessons = Annotated[bool, _option("--no-lessons", "Neither tell nor keep lessons of earlier runs.")]
Answer = Annotated[str | None, _option("--answer", "Answer to what the run asks.", "TEXT")]
Record = Annotated[Path | None, _option("--record", "Record the models' replies as a transcript.", "FILE")]
Replay = Annotated[Path | None, _option("--replay", "Take the replies from a transcript.", "FILE")]
Dollars = Annotated[float | None, _option("--budget", "Dollars that the run may cost in all.", "USD", min=0)]
Tokens = Annotated[int | None, _option("--max-tokens", "Tokens that the run may use in all.", "N", min=0)]
Json = Annotated[bool, _option("--json", "One JSON report on standard output, all else on standard error.")]
Quiet = Annotated[bool, _option("--quiet", "Show only the verdict.")]
Force = Annotated[bool, _option("--force", "Overwrite files that are in the way.")]
ShowVersion = Annotated[bool, _option("--version", "Show the version and exit.", callback=_version, is_eager=True)]


RunName = Annotated[str, typer.Argument(metavar="RUN", help="Name of the run.", autocompletion=run_names)]
Data = Annotated[bool, _option("--json", "As JSON, on standard output.")]


@app.callback(invoke_without_command=True)
def run(
    context: typer.Context,
    prompt: Prompt = None,
    prompt_file: PromptFile = None,
    example: Example = None,
    module_name: ModuleName = None,
    thread: Thread = None,
    out: Out = None,
    max_iterations: Iterations = None,
    developers: Developers = None,
    assume: Assume = None,
    no_second_reading: OneReading = False,
    approve: Approve = None,
    no_lessons: NoLessons = False,
    record: Record = None,
    replay: Replay = None,
    budget: Dollars = None,
    max_tokens: Tokens = None,
    json: Json = False,
    quiet: Quiet = False,
    force: Force = False,
    _show_version: ShowVersion = False,
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
        from src.cli.audience import Audience
        from src.cli.request import Source
        from src.cli.run import RunOptions, run_command

        source = Source(prompt, prompt_file, example, replay, module_name)
        options = RunOptions(out, record, force, thread)
        reading = {"assume": assume, "second_reading": False if no_second_reading else None, "approve": approve}
        flags = {"max_debug_iterations": max_iterations, "budget": budget, "max_tokens": max_tokens, **reading}
        flags |= {"lessons": False if no_lessons else None, "developers": developers}
        return run_command(source, options, Audience(json, quiet), flags)

    _end_with(act)


@app.command()
def resume(
    run: RunName,
    answer: Answer = None,
    decision: Decision = None,
    notes: Notes = None,
    code: Code = None,
    spec: Spec = None,
    tests: Tests = None,
    out: Out = None,
    budget: Dollars = None,
    max_tokens: Tokens = None,
    json: Json = False,
    quiet: Quiet = False,
    force: Force = False,
) -> None:
    """Go on with a run that was interrupted, failed or asks something."""

    def act() -> int:
        from src.cli.audience import Audience
        from src.cli.decide import given_answer
        from src.cli.resume import resume_command

        flags = {"budget": budget, "max_tokens": max_tokens}
        given = given_answer(answer, decision, notes, {"code": code, "spec": spec, "tests": tests})
        return resume_command(run, out, Audience(json, quiet), flags, force=force, answer=given)

    _end_with(act)


@app.command()
def doctor() -> None:
    """Say what is there, what is missing, and how to mend it."""

    def act() -> int:
        from src.cli.doctor import doctor_command

        return doctor_command()

    _end_with(act)


@app.command()
def runs(json: Data = False) -> None:
    """List every run that is saved, the newest first."""

    def act() -> int:
        from src.cli.runs import runs_command

        return runs_command(json=json)

    _end_with(act)


@app.command()
def show(run: RunName, json: Json = False, quiet: Quiet = False) -> None:
    """Show the report of a run; calls nothing, writes nothing."""

    def act() -> int:
        from src.cli.audience import Audience
        from src.cli.show import show_command

        return show_command(run, Audience(json, quiet))

    _end_with(act)


@app.command()
def history(run: RunName, json: Data = False) -> None:
    """List the steps of a run, with what it had cost by then."""

    def act() -> int:
        from src.cli.history import history_command

        return history_command(run, json=json)

    _end_with(act)


@app.command()
def audit(run: RunName, json: Data = False) -> None:
    """List every refusal, correction, dispute and decision of a run."""

    def act() -> int:
        from src.cli.audit import audit_command

        return audit_command(run, json=json)

    _end_with(act)


@app.command()
def delete(run: RunName, yes: Annotated[bool, _option("--yes", "Do not ask.")] = False) -> None:
    """Delete all that is saved of a run; its files stay."""

    def act() -> int:
        from src.cli.delete import delete_command

        return delete_command(run, sure=yes)

    _end_with(act)


@app.command()
def graph() -> None:
    """Print the team as a picture in Mermaid."""

    def act() -> int:
        from src.cli.graph import graph_command

        return graph_command()

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


add_travel(app)
add_lessons(app)
