"""A decision: shown and taken on a terminal, or read from options where nobody sits at one."""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from string import ascii_lowercase

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.syntax import Syntax
from rich.text import Text

from src.approvals import MAX_TEXT, Answer, Approval, Decision, taken
from src.cli.console import complain, open_console
from src.cli.plan import TEAM, resume_line
from src.errors import ConfigurationError
from src.text import clean, one_line

Editor = Callable[[str, str], str]
"""Lets a person change a text of that name and returns what came of it."""

KEYS: dict[str, str] = {"a": "approve", "e": "edit", "r": "reject", "q": "abort"}
_TOLD: dict[str, str] = {
    "approve": "go on with it",
    "edit": "change it yourself",
    "reject": "send it back with notes",
    "abort": "end the run",
}
_LANGUAGES = {"code": "python", "tests": "python", "spec": "markdown"}


def decide_on_terminal(approval: Approval, edit: Editor) -> Decision | None:
    """Show what is to be decided and read until a decision can be taken; `None` at the end of the input."""
    console = open_console(error=True)
    for part in _shown(approval):
        console.print(part)
    keys = keys_of(approval)
    meanings = {**_TOLD, **approval.meanings}
    for key, verb in keys.items():
        told = f"{verb}: {one_line(meanings[verb])}" if verb in meanings else verb
        console.print(f"  {key}) {told}", soft_wrap=True)
    while True:
        console.print("Decision: ", end="")
        typed = sys.stdin.readline()
        if not typed:
            console.print()
            return None
        word = typed.strip().lower().rstrip(".)")
        try:
            chosen = keys.get(word) or next((verb for verb in keys.values() if verb == word), None)
            if chosen is None:
                raise ConfigurationError(f"{one_line(typed, 40)!r} is none of {', '.join(keys)}.")
            return taken(approval, _decision(chosen, approval, edit, console))
        except ConfigurationError as error:
            complain(error.message, label="Again")


def keys_of(approval: Approval) -> dict[str, str]:
    """The decisions that are allowed by the key that chooses them: the usual one, else the word's first free letter."""
    usual = {verb: key for key, verb in KEYS.items()}
    keys: dict[str, str] = {}
    for word in approval.decisions:
        letters = [usual.get(word, word[0]), *word, *ascii_lowercase]
        keys[next(letter for letter in letters if letter not in keys)] = word
    return keys


def _decision(verb: str, approval: Approval, edit: Editor, console: Console) -> Decision:
    if verb == "edit":
        begun = {**approval.texts, **approval.edited}
        return Decision(decision=verb, texts={name: edit(name, text) for name, text in begun.items()})
    if verb != "reject" and verb not in approval.explained:
        return Decision(decision=verb)
    console.print("Notes, ended by an empty line:")
    lines = iter(lambda: sys.stdin.readline().rstrip(), "")  # the end of the input is an empty line as well
    return Decision(decision=verb, notes="\n".join(lines))


def _shown(approval: Approval) -> Iterator[RenderableType]:
    """Everything that is needed to decide, all of it: nobody should approve what was left out."""
    head = [Text(one_line(approval.question, 2000), style="bold yellow")]
    head += [Text(line) for line in clean(approval.background).splitlines()]
    head += [Text(f"• {one_line(reason, 2000)}") for reason in approval.reasons]
    yield Panel(
        Group(*head), title=f"{approval.matter}: a decision of yours", title_align="left", border_style="yellow"
    )
    if approval.difference:
        yield Panel(_source(approval.difference, "diff"), title="difference", title_align="left", border_style="dim")
    else:
        for name, text in approval.texts.items():
            language = _LANGUAGES.get(name, "text")
            yield Panel(_source(text, language), title=Text(one_line(name)), title_align="left", border_style="dim")
    if approval.edit_refused:
        refused = [Text(f"• {one_line(reason, 2000)}") for reason in approval.edit_refused]
        yield Panel(Group(*refused), title="your edit was refused", title_align="left", border_style="red")


def _source(text: str, language: str) -> RenderableType:
    return Syntax(clean(text).rstrip("\n"), language, theme="ansi_dark", background_color="default", word_wrap=True)


def how_to_decide(
    run_id: str, approval: Approval, program: str = TEAM, edit: str | None = None, command: str = "resume"
) -> str:
    """What a person reads where the run cannot ask at once: the matter, and the commands that decide.

    `edit`: the option that hands in an edit of a program that takes no files. `command`: as in `resume_line`.
    """
    told = [clean(approval.background)] if approval.background else []
    told += [f"Refused: {one_line(reason, 2000)}" for reason in approval.reasons]
    told += [f"Your edit was refused: {one_line(reason, 2000)}" for reason in approval.edit_refused]
    more = dict.fromkeys(approval.explained, " --notes TEXT")
    more["edit"] = "".join(f" --{name} FILE" for name in approval.texts) if edit is None else f" {edit}"
    line = resume_line(run_id, program, command)
    lines = [f"{line} --decision {verb}{more.get(verb, '')}" for verb in approval.decisions]
    return "\n".join([*told, "Decide, and go on, with one of:", *lines])


def given_answer(
    answer: str | None,
    decision: str | None,
    notes: str | None,
    files: Mapping[str, Path | None],
    known: Collection[str] = tuple(KEYS.values()),
) -> Answer | None:
    """What a person's options say; `None` when they say nothing. Raises `ConfigurationError` when they do not fit.

    `known`: every decision that there is.
    """
    named = {name: path for name, path in files.items() if path is not None}
    if answer is not None and decision is not None:
        raise ConfigurationError("--answer and --decision were both given.", "Give one of them.")
    if decision is None:
        if notes is not None or named:
            option = "--notes" if notes is not None else f"--{next(iter(named))}"
            raise ConfigurationError(f"{option} belongs to a decision.", "Add --decision.")
        return answer
    verb = decision.strip().lower()
    if verb not in known:
        raise ConfigurationError(f"--decision: {decision[:40]!r} is none of {', '.join(known)}.")
    return Decision(decision=verb, notes=notes or "", texts={name: _read(path) for name, path in named.items()})


def _read(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            content = stream.read(4 * MAX_TEXT + 1)
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path} is not text in UTF-8.") from None
