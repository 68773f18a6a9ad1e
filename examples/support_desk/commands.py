"""`play`, `resume` and `chat`: a conversation is carried on until nothing is left to say, or a person is missing."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from examples.support_desk.desk import Desk
from examples.support_desk.places import CUSTOMER, PROGRAM, SCRIPT, address_of, shop_of
from examples.support_desk.state import DeskContext, DeskState
from examples.support_desk.view import DeskView
from src.approvals import Approval, Decision
from src.cli.ask import at_terminal
from src.cli.console import complain, open_console
from src.cli.decide import decide_on_terminal, given_answer, how_to_decide
from src.cli.editor import edited
from src.cli.plan import resume_line
from src.config import load_settings
from src.errors import ConfigurationError, ExitCode, ProviderError
from src.models.assistants import choose_chat
from src.runs.names import check_name, new_run_id

DECISIONS = ("approve", "reject", "escalate", "compensate", "close", "edit", "abort")
"""Every decision that a person may be asked for."""


@dataclass(frozen=True)
class Session:
    """A conversation that a command works on."""

    desk: Desk
    """The desk."""
    thread: str
    """Name of the conversation."""
    view: DeskView
    """Draws it."""
    editor: str | None
    """The command that a person's editor is started with."""

    def carry_on(self, given: Decision | None = None) -> int:
        """Go on until there is nothing left to say; returns the exit code. `given`: a decision that was made before."""
        while True:
            saved = self.desk.known(self.thread)
            if saved.approval:
                decision, given = given or self._ask(saved.approval), None
                if decision is None:
                    return self._pause(saved.approval)
                self.desk.decide(self.thread, decision)
            elif not saved.finished:
                self.desk.go_on(self.thread)
            elif saved.state["queue"]:
                text, *queue = saved.state["queue"]
                self.view.customer(text)
                self.desk.say(self.thread, text, queue)
            else:
                return 0

    def _ask(self, approval: Approval) -> Decision | None:
        """What the person at the terminal decides; `None` where nobody sits at one."""
        if not at_terminal():
            return None
        return decide_on_terminal(approval, lambda name, text: edited(name, text, self.editor))

    def _pause(self, approval: Approval) -> int:
        told = f"The desk waits for a person. {approval.question}"
        complain(told, how_to_decide(self.thread, approval, PROGRAM), label="Paused")
        return ExitCode.PAUSED


@contextmanager
def _session(thread: str, customer: str | None, *, replay: bool) -> Iterator[Session]:
    """Open a conversation; nobody else works on it meanwhile. `customer`: of a new one; `None`: there must be one."""
    settings = load_settings()
    address = address_of(settings)
    address.check()
    view = DeskView(open_console())
    with address.open() as database:
        desk = Desk(database, view.step)
        with desk.held(thread):
            saved = desk.known(thread) if customer is None else desk.saved(thread)
            state = saved.state if saved else DeskState(replay=replay, customer=customer or "")
            assistants = choose_chat(settings, SCRIPT, replay=replay or state["replay"], notice=view.say)
            desk.serve(DeskContext(assistants.chat, shop_of(settings)))
            view.opening(assistants.told, thread, state["customer"])
            try:
                yield Session(desk, thread, view, settings.editor)
            except ProviderError as error:
                error.remedy = f"{error.remedy}\nGo on with: {resume_line(thread, PROGRAM)}".strip()
                raise
            finally:
                view.say(assistants.spent())


def play_command(thread: str | None, *, replay: bool) -> int:
    """Play the scripted conversation, and return the exit code."""
    name = check_name(thread) if thread else new_run_id("support desk")
    first, *queue = CUSTOMER.read_text(encoding="utf-8").splitlines()
    with _session(name, "ada", replay=replay) as session:
        if session.desk.saved(name):
            raise ConfigurationError(
                f"There is a conversation called {name!r} already.", f"Go on with: {resume_line(name, PROGRAM)}"
            )
        session.view.customer(first)
        session.desk.begin(name, first, "ada", queue, replay=replay)
        return session.carry_on()


def resume_command(thread: str, decision: str | None, notes: str | None, claim: Path | None, *, replay: bool) -> int:
    """Go on with a conversation, and return the exit code."""
    given = given_answer(None, decision, notes, {"claim": claim}, DECISIONS)
    with _session(thread, None, replay=replay) as session:
        saved = session.desk.known(thread)
        if given and not saved.approval:
            raise ConfigurationError(
                f"The conversation {thread!r} does not wait for a decision.",
                f"Leave --decision out; what was decided is told by: python -m {PROGRAM} audit {thread}",
            )
        if saved.finished and not saved.state["queue"]:
            session.view.say("Nothing is left to do.")
        return session.carry_on(given if isinstance(given, Decision) else None)


def chat_command(thread: str | None, message: str | None, customer: str, *, replay: bool) -> int:
    """Let somebody be the customer, and return the exit code."""
    name = check_name(thread) if thread else new_run_id("support desk")
    with _session(name, customer, replay=replay) as session:
        code = session.carry_on() if session.desk.saved(name) else 0
        for text in iter([message]) if message is not None else _typed():
            if code:
                break
            session.view.customer(text)
            if session.desk.saved(name):
                session.desk.say(name, text)
            else:
                session.desk.begin(name, text, customer, replay=replay)
            code = session.carry_on()
        return code


def _typed() -> Iterator[str]:
    """What somebody types, or pipes in, line by line; an empty line is passed over."""
    while True:
        if at_terminal():
            open_console(error=True).print("\nYou are the customer (Ctrl-D ends): ", end="")
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line
