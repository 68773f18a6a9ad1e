"""`python -m examples.inbox`, `waiting` and `decide`: a run is carried on until every draft is decided, or nobody is
there to decide."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from examples.inbox.places import PROGRAM, SCRIPT, address_of, context_of
from examples.inbox.state import InboxContext
from examples.inbox.view import InboxView
from examples.inbox.work import MAX_UNREAD, Work
from src.approvals import Approval, Decision
from src.cli.ask import at_terminal
from src.cli.console import complain, open_console
from src.cli.decide import decide_on_terminal, given_answer, how_to_decide
from src.cli.editor import edited
from src.cli.interrupt import stoppable
from src.cli.listing import show_json
from src.config import load_settings
from src.errors import ConfigurationError, ExitCode, TeamError
from src.models.assistants import choose_chat
from src.text import clean, count

GO_ON = f"python -m {PROGRAM}"


@dataclass(frozen=True)
class Session:
    """The mailbox that a command works on; nobody else does meanwhile."""

    work: Work
    """The runs."""
    context: InboxContext
    """What they work on."""
    view: InboxView
    """Draws them."""
    editor: str | None
    """The command that a person's editor is started with."""

    @property
    def waiting(self) -> list[Approval]:
        """What a person is asked, a question for each draft that waits."""
        saved = self.work.latest()
        return [one.approval for one in saved.waiting] if saved else []

    def ask(self) -> None:
        """Ask whoever sits at the terminal about each draft, until none waits or each was left alone once."""
        left: set[str] = set()
        while open_ones := [approval for approval in self.waiting if approval.about not in left]:
            if not self.ask_about(open_ones[0]):
                left.add(open_ones[0].about)

    def ask_about(self, approval: Approval) -> bool:
        """Ask about one draft; returns whether it was decided."""
        decision = decide_on_terminal(approval, lambda name, text: edited(name, text, self.editor))
        if decision is not None:
            self.work.decide(approval.about, decision)
        return decision is not None

    def end(self, *, whole: bool = True) -> int:
        """Tell what still waits, all of it or its names alone; returns the exit code."""
        waiting = self.waiting
        if waiting:
            names = [clean(approval.question) for approval in waiting]
            told = "\n\n".join(map(how_about, waiting)) if whole else "\n".join([*names, f"See: {GO_ON} waiting"])
            complain(f"{count(len(waiting), 'draft')} wait{'s' * (len(waiting) == 1)} for you.", told, label="Paused")
            return ExitCode.PAUSED
        return 0


def how_about(approval: Approval) -> str:
    """One draft that waits: whom it goes to, all of it, and the commands that decide."""
    shown = "\n".join(f"  {line}" for line in preview(approval))
    how = how_to_decide(approval.about, approval, PROGRAM, "--body FILE", "decide")
    return f"{clean(approval.question)}\n{shown}\n{how}"


def preview(approval: Approval) -> list[str]:
    """Recipient, subject and body, in harmless lines."""
    lines = [f"{name}: {approval.texts[name]}" for name in ("to", "subject")]
    return clean("\n".join([*lines, *approval.texts["body"].strip().split("\n")])).split("\n")


@contextmanager
def _session(*, replay: bool) -> Iterator[Session]:
    settings = load_settings()
    address = address_of(settings)
    address.check()
    view = InboxView(open_console())
    # Drafts are corrected side by side, in threads: without `interrupted`, Ctrl-C would wait for all their models.
    with stoppable() as interrupted, address.open() as database:
        work = Work(database, view.step)
        with work.held():
            saved = work.latest()
            going_on = saved is not None and not saved.finished and saved.state["replay"]
            scripted = replay or going_on
            assistants = choose_chat(settings, SCRIPT, replay=scripted, notice=view.say, interrupted=interrupted)
            view.say(assistants.told)
            context = context_of(settings, database, assistants)
            work.serve(context)
            try:
                yield Session(work, context, view, settings.editor)
            except TeamError as error:
                error.remedy = error.remedy or f"Go on with: {GO_ON}"
                raise
            finally:
                view.say(assistants.spent())


def work_command(*, replay: bool) -> int:
    """Work through the unread mail, or go on with that, and return the exit code."""
    with _session(replay=replay) as session:
        saved = session.work.latest()
        if saved and not saved.finished:
            session.work.go_on()
        elif unread := [mail["id"] for mail in session.context.mailbox.unread()]:
            if len(unread) > MAX_UNREAD:
                session.view.say(
                    f"The oldest {MAX_UNREAD} of {len(unread)} unread mails; the others are for the next run."
                )
            session.work.begin(unread, replay=replay)
        else:
            session.view.say("There is no unread mail.")
        if at_terminal():
            session.ask()
        return session.end()


def decide_command(
    draft: str, decision: str | None, notes: str | None, texts: dict[str, str], body: Path | None
) -> int:
    """Decide about one draft, and return the exit code: 3 while another waits."""
    given = given_answer(None, decision, notes, {"body": body})
    if given is None and (texts or not at_terminal()):
        raise ConfigurationError("--decision is missing.", "approve, edit, reject or abort.")
    with _session(replay=False) as session:
        if isinstance(given, Decision):
            session.work.decide(draft, given.model_copy(update={"texts": {**texts, **given.texts}}))
        elif approval := next((one for one in session.waiting if one.about == draft), None):
            session.ask_about(approval)
        else:
            raise ConfigurationError(f"No draft called {draft[:40]!r} waits.", f"See: {GO_ON} waiting")
        return session.end(whole=False)


def waiting_command(*, json: bool) -> int:
    """List the drafts that wait, and return the exit code."""
    address = address_of(load_settings())
    address.check()
    with address.open() as database:
        saved = Work(database, lambda _step: None).latest()
    waiting = [one.approval for one in saved.waiting] if saved else []
    if json:
        show_json([approval.model_dump() for approval in waiting])
        return 0
    view = InboxView(open_console())
    for approval in waiting:
        view.say(f"{how_about(approval)}\n")
    view.say("" if waiting else "No draft waits.")
    return 0
