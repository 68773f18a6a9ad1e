"""The commands of the support desk. What they do is imported when it is needed, so that `--help` is instant."""

from pathlib import Path
from typing import Annotated

import typer

from src.cli.options import end_with, option

app = typer.Typer(
    pretty_exceptions_enable=False, rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]}
)

Name = Annotated[str, typer.Argument(metavar="THREAD", help="Name of the conversation.")]
NewName = Annotated[str | None, typer.Argument(metavar="[THREAD]", help="Name of the conversation.  [a new one]")]
Thread = Annotated[str | None, option("--thread", "Name of the conversation.  [made up]", "NAME")]
Replay = Annotated[bool, option("--replay", "Take the scripted replies even where there is a key.")]
Decision = Annotated[str | None, option("--decision", "What the person decides: approve, reject, escalate, ….", "WORD")]
Notes = Annotated[str | None, option("--notes", "Why; the customer, or the model, is told.", "TEXT")]
Claim = Annotated[Path | None, option("--claim", "With edit: file of the form as it should be (JSON).", "FILE")]
Message = Annotated[str | None, option("--message", "What the customer says; without: read line by line.", "TEXT")]
Customer = Annotated[str, option("--customer", "Who writes: ada or ben.  [ada]", "NAME")]
Data = Annotated[bool, option("--json", "As JSON.")]


@app.callback(invoke_without_command=True)
def play(context: typer.Context, thread: Thread = None, replay: Replay = False) -> None:
    """A shop's support desk whose models are never trusted. Without a command it plays a scripted conversation.

    Exit codes: 0 done, 2 usage or configuration, 3 waits for a person, 6 model provider, 130 interrupted.
    """
    if context.invoked_subcommand is not None:
        return

    def act() -> int:
        from examples.support_desk.commands import play_command

        return play_command(thread, replay=replay)

    end_with(act)


@app.command()
def resume(
    thread: Name, decision: Decision = None, notes: Notes = None, claim: Claim = None, replay: Replay = False
) -> None:
    """Go on with a conversation that waits for a person, or that was interrupted."""

    def act() -> int:
        from examples.support_desk.commands import resume_command

        return resume_command(thread, decision, notes, claim, replay=replay)

    end_with(act)


@app.command()
def chat(thread: NewName = None, message: Message = None, customer: Customer = "ada", replay: Replay = False) -> None:
    """Be the customer: begin a conversation, or go on with one."""

    def act() -> int:
        from examples.support_desk.commands import chat_command

        return chat_command(thread, message, customer, replay=replay)

    end_with(act)


@app.command()
def audit(thread: Name, json: Data = False) -> None:
    """List every refusal, correction, decision and booking of a conversation."""

    def act() -> int:
        from examples.support_desk.records import audit_command

        return audit_command(thread, json=json)

    end_with(act)


@app.command()
def graph() -> None:
    """Print the desk as a picture in Mermaid."""

    def act() -> int:
        from examples.support_desk.records import graph_command

        return graph_command()

    end_with(act)
