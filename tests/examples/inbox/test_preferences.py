"""What the owner likes: kept across runs, told to the model before each call, and nobody else's."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.store.memory import InMemoryStore

from examples.inbox.preferences import MAX_PREFERENCES, MAX_TEXT, Preferences
from examples.inbox.slots import Rules
from src.errors import ConfigurationError
from src.runs.vault import Vault
from tests.examples.inbox.conftest import Office


@pytest.fixture
def store() -> InMemoryStore:
    return InMemoryStore()


def of(store: InMemoryStore, owner: str = "robin@vale.example", key: str | None = None) -> Preferences:
    return Preferences(store, Vault(key), owner)


def test_the_same_words_are_kept_once_under_a_key_that_stays_the_same(store: InMemoryStore) -> None:
    mine = of(store)
    first = mine.remember("25-minute meetings, none before 10")
    mine.remember("Sign with Robin.")
    assert mine.remember("25-minute  MEETINGS: none before 10!").key == first.key
    assert [one.text for one in mine.all()] == ["Sign with Robin.", "25-minute MEETINGS: none before 10!"]
    assert first.key == "636be4037e6886d6"


def test_those_of_others_lie_elsewhere(store: InMemoryStore) -> None:
    of(store).remember("none before 10")
    assert of(store, "omar@vale.example").all() == []
    assert of(store, "Robin@Vale.example").rules == Rules(earliest="10:00")


def test_the_later_of_two_counts_and_one_can_be_forgotten(store: InMemoryStore) -> None:
    mine = of(store)
    mine.remember("none before 10")
    late = mine.remember("none before 11")
    assert mine.rules.earliest == "11:00"
    mine.forget(late.key)
    assert mine.rules.earliest == "10:00"
    with pytest.raises(ConfigurationError, match="no preference"):
        mine.forget(late.key)


@pytest.mark.parametrize("text", ["", " \n ", "x" * (MAX_TEXT + 1)])
def test_what_is_none_is_refused(store: InMemoryStore, text: str) -> None:
    with pytest.raises(ConfigurationError, match="1 to 300"):
        of(store).remember(text)


def test_there_is_an_end_to_them(store: InMemoryStore) -> None:
    mine = of(store)
    for number in range(MAX_PREFERENCES):
        mine.remember(f"likes {number}")
    with pytest.raises(ConfigurationError, match="kept already"):
        mine.remember("one more")
    mine.remember("likes 1")


def test_they_are_sealed_where_there_is_a_key(store: InMemoryStore) -> None:
    of(store, key="a long secret").remember("none before 10")
    (item,) = store.search(("inbox",))
    assert list(item.value) == ["sealed"]
    assert of(store, key="a long secret").rules.earliest == "10:00"


class Listening(BaseChatModel):
    """Keeps what it was told first in each call."""

    heard: Any

    @property
    def _llm_type(self) -> str:
        return "listening"

    def bind_tools(self, tools: Any, **_kwargs: Any) -> Any:
        return self.bind(tools=len(tools))

    def _generate(self, messages: Any, *_args: Any, **_kwargs: Any) -> ChatResult:
        self.heard.append(str(messages[0].content))
        tools = [] if len(self.heard) > 1 else [{"name": "contacts", "args": {}, "id": "1"}]
        return ChatResult(generations=[ChatGeneration(message=AIMessage("Done.", tool_calls=tools))])


def test_they_are_told_before_every_call_of_every_later_run(office: Callable[..., Office]) -> None:
    heard: list[str] = []
    at = office(chat=lambda _who: Listening(heard=heard))
    at.preferences.remember("none before 10")
    at.again()
    at.begin()
    at.begin()
    assert len(heard) == 3
    assert all(told.endswith("The owner's own preferences:\n- none before 10") for told in heard)
