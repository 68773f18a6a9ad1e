"""The commands of the inbox assistant. What they do is imported when it is needed, so that `--help` is instant."""

from pathlib import Path
from typing import Annotated

import typer

from src.cli.options import end_with, option

app = typer.Typer(
    pretty_exceptions_enable=False, rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]}
)

Draft = Annotated[str, typer.Argument(metavar="DRAFT", help="Name of the draft, as `waiting` tells it.")]
Key = Annotated[str, typer.Argument(metavar="KEY", help="The preference, as `preferences` tells it.")]
Text = Annotated[str, typer.Argument(metavar="TEXT", help='Such as "25-minute meetings, none before 10".')]
Replay = Annotated[bool, option("--replay", "Take the scripted replies even where there is a key.")]
Verdict = Annotated[str | None, option("--decision", "approve, edit, reject or abort.", "WORD")]
Notes = Annotated[str | None, option("--notes", "With reject: what is to be written otherwise.", "TEXT")]
To = Annotated[str | None, option("--to", "With edit: another recipient.", "ADDRESS")]
Subject = Annotated[str | None, option("--subject", "With edit: another subject.", "TEXT")]
Body = Annotated[Path | None, option("--body", "With edit: file with another text.", "FILE")]
Data = Annotated[bool, option("--json", "As JSON.")]


@app.callback(invoke_without_command=True)
def work(context: typer.Context, replay: Replay = False) -> None:
    """An assistant that works through unread mail and sends nothing by itself. Without a command it does that.

    Exit codes: 0 done, 2 usage or configuration, 3 drafts wait for a person, 6 model provider, 130 interrupted.
    """
    if context.invoked_subcommand is not None:
        return

    def act() -> int:
        from examples.inbox.commands import work_command

        return work_command(replay=replay)

    end_with(act)


@app.command()
def waiting(json: Data = False) -> None:
    """List the drafts that wait, all of each, and what decides them."""

    def act() -> int:
        from examples.inbox.commands import waiting_command

        return waiting_command(json=json)

    end_with(act)


@app.command()
def decide(
    draft: Draft,
    decision: Verdict = None,
    notes: Notes = None,
    to: To = None,
    subject: Subject = None,
    body: Body = None,
) -> None:
    """Decide about one draft; the others go on waiting."""

    def act() -> int:
        from examples.inbox.commands import decide_command

        texts = {name: text for name, text in (("to", to), ("subject", subject)) if text is not None}
        return decide_command(draft, decision, notes, texts, body)

    end_with(act)


@app.command()
def remember(text: Text) -> None:
    """Keep a preference of yours; the model is told before each call, and the rules in it hold in code."""

    def act() -> int:
        from examples.inbox.records import remember_command

        return remember_command(text)

    end_with(act)


@app.command()
def preferences(json: Data = False) -> None:
    """List your preferences, and the rules that they come to."""

    def act() -> int:
        from examples.inbox.records import preferences_command

        return preferences_command(json=json)

    end_with(act)


@app.command()
def forget(key: Key) -> None:
    """Forget a preference."""

    def act() -> int:
        from examples.inbox.records import forget_command

        return forget_command(key)

    end_with(act)


@app.command()
def audit(json: Data = False) -> None:
    """List every refusal, correction, decision and what was sent."""

    def act() -> int:
        from examples.inbox.records import audit_command

        return audit_command(json=json)

    end_with(act)


@app.command()
def graph() -> None:
    """Print the assistant as a picture in Mermaid."""

    def act() -> int:
        from examples.inbox.records import graph_command

        return graph_command()

    end_with(act)
