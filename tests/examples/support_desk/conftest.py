"""What the tests of the support desk have in common: a shop, scripted models, and conversations in a real database."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage

from examples.support_desk.desk import Desk, Saved
from examples.support_desk.shop import Shop
from examples.support_desk.state import DeskContext, DeskState
from src.approvals import Approval, Decision
from src.models.scripted import ScriptedCall, ScriptedChat, ScriptedReply
from src.runs.database import Address
from src.runs.watching import NodeDone

FORMS = {
    "supervisor": "Route",
    "orders": "OrderQuestion",
    "refunds": "RefundClaim",
    "complaints": "ComplaintClaim",
    "summary": "Summary",
}


def fills_in(who: str, when: str, **claim: Any) -> ScriptedReply:
    """A reply in which `who` fills in its form, when `when` was said last."""
    return ScriptedReply(who=who, when=when, tool_calls=(ScriptedCall(name=FORMS[who], args=claim),))


class Talk:
    """A conversation of ada's, carried on from one process to the next."""

    def __init__(self, folder: Path, shop: Shop, chat: Callable[[str], BaseChatModel], thread: str = "a") -> None:
        self.shop, self.thread = shop, thread
        self.steps: list[NodeDone] = []
        self._address, self._context = Address(folder / "desk.sqlite"), DeskContext(chat, shop)
        self._stack = ExitStack()
        self.again()

    def again(self) -> None:
        """Let go of the database, as a process that ends does, and open it anew."""
        self._stack.close()
        database = self._stack.enter_context(self._address.open())
        self.desk = Desk(database, self.steps.append, self._context)

    def close(self) -> None:
        self._stack.close()

    def say(self, text: str) -> str:
        """The desk's reply; empty while a person is asked."""
        if self.desk.saved(self.thread) is None:
            self.desk.begin(self.thread, text, "ada", replay=True)
        else:
            self.desk.say(self.thread, text)
        return self.last if self.saved.finished else ""

    def decide(self, decision: str, notes: str = "", **texts: str) -> str:
        self.desk.decide(self.thread, Decision(decision=decision, notes=notes, texts=texts))
        return self.last if self.saved.finished else ""

    @property
    def saved(self) -> Saved:
        saved = self.desk.saved(self.thread)
        assert saved is not None
        return saved

    @property
    def state(self) -> DeskState:
        return self.saved.state

    @property
    def asked(self) -> Approval:
        approval = self.saved.approval
        assert approval is not None
        return approval

    @property
    def messages(self) -> list[AnyMessage]:
        return self.state["messages"]

    @property
    def last(self) -> str:
        return str(self.messages[-1].content)

    @property
    def nodes(self) -> list[str]:
        """Every node that was run, by its place."""
        return ["/".join([*step.path, step.node]) for step in self.steps]


@pytest.fixture(autouse=True)
def _no_foreign_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and settings of whoever runs the tests are out of reach."""
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_BASE_URL", "_MODEL", "_LEVEL")) or name.startswith("RUNS_"):
            monkeypatch.delenv(name)


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """A shop with its first orders."""
    return Shop(tmp_path / "shop.sqlite")


@pytest.fixture
def talk(tmp_path: Path, shop: Shop) -> Iterator[Callable[..., Talk]]:
    """`talk(*replies)`: a conversation whose models answer from a script; `talk(chat=…)`: from something else."""
    with ExitStack() as stack:

        def open_talk(*replies: ScriptedReply, chat: Any = None, thread: str = "a") -> Talk:
            opened = Talk(tmp_path, shop, chat or (lambda who: ScriptedChat(who=who, replies=replies)), thread)
            stack.callback(opened.close)
            return opened

        yield open_talk


@pytest.fixture
def desk_readme() -> str:
    """The README of the support desk."""
    return (Path(__file__).parents[3] / "examples" / "support_desk" / "README.md").read_text(encoding="utf-8")
