"""Embedding models by the wire of their providers."""

from typing import Any

import pytest

from src.errors import ConfigurationError
from src.ledger import Embedder
from src.models.embedding import open_embedder
from src.models.faults import GarbageFault, ServerFault
from src.setting_types import EmbeddingSettings

TEXTS = ["Limit the rate.", "half a \ud800 pair"]


@pytest.fixture
def embedder_for(provider: Any, settings_for: Any) -> Any:
    """An embedding model, connected to the server."""

    def make(model: str, price: float | None = None, **more: Any) -> Embedder:
        embedding = EmbeddingSettings(model=model, price=price)
        settings = settings_for("x", embedding=embedding, **{"openai_base_url": f"{provider.url}/local/v1"} | more)
        made = open_embedder(settings, sleep=lambda _seconds: None)
        assert made is not None
        return made

    return make


def openai_body(*vectors: Any, **usage: Any) -> dict[str, Any]:
    data = [{"object": "embedding", "index": place, "embedding": vector} for place, vector in enumerate(vectors)]
    return {
        "object": "list",
        "model": "m",
        "data": data[::-1],
        "usage": {"prompt_tokens": 7, "total_tokens": 7} | usage,
    }


def test_a_server_that_speaks_openais_protocol_is_sent_texts_as_they_are(
    embedder_for: Any, answer: Any, provider: Any
) -> None:
    answer(body=openai_body([1, 0.5], [0.25, 0]))
    found = embedder_for("openai:nomic", price=100.0).embed(TEXTS)
    [request] = provider.requests
    assert request.path == "/local/v1/embeddings"
    assert request.headers["authorization"] == "Bearer sk-this-is-a-key-0123456789"
    assert (request.body["model"], request.body["input"]) == ("nomic", ["Limit the rate.", "half a ? pair"])
    assert found.vectors == [[1, 0.5], [0.25, 0]], "in the order of the texts, whatever that of the answer was"
    assert (found.reply.usage.input_tokens, found.reply.usage.output_tokens) == (7, 0)
    assert found.reply.usage.cost == pytest.approx(0.0007)


def test_openrouter_tells_the_cost_itself(embedder_for: Any, answer: Any, provider: Any) -> None:
    answer(body=openai_body([1], [2], cost=0.0123))
    found = embedder_for("openrouter:openai/text-embedding-3-small").embed(TEXTS)
    assert (provider.requests[0].path, found.reply.usage.cost) == ("/api/v1/embeddings", 0.0123)


def test_gemini_is_asked_for_all_texts_at_once(embedder_for: Any, answer: Any, provider: Any) -> None:
    answer(body={"embeddings": [{"values": [1, 0]}, {"values": [0, 1]}]})
    model = embedder_for("gemini:gemini-embedding-001")
    found = model.embed(TEXTS)
    [request] = provider.requests
    assert request.path == "/v1beta/models/gemini-embedding-001:batchEmbedContents"
    assert request.headers["x-goog-api-key"] == "sk-this-is-a-key-0123456789"
    asked = [one["content"]["parts"][0]["text"] for one in request.body["requests"]]
    assert asked == ["Limit the rate.", "half a ? pair"]
    assert [list(vector) for vector in found.vectors] == [[1, 0], [0, 1]]
    assert found.reply.usage.cost is None, "it did not say how many tokens it read, so that the worst case counts"
    assert model.worst_case(["x" * 984]).cost == pytest.approx(0.15 * 1000 / 1e6)


@pytest.mark.parametrize(
    "body",
    [
        openai_body([1, 0]),
        openai_body([1, 0], [1]),
        openai_body([1, 0], [0, 0]),
        openai_body([1, 0], ["a", "b"]),
        openai_body([1, 0], None),
        openai_body([1, 0], "AAAA"),
        {"object": "list", "data": None},
        {},
    ],
)
def test_an_answer_without_a_vector_for_each_text_is_none_and_may_have_cost_money(
    embedder_for: Any, answer: Any, body: Any
) -> None:
    answer(body=body)
    with pytest.raises(GarbageFault) as caught:
        embedder_for("openai:nomic").embed(TEXTS)
    assert caught.value.billed


def test_a_fault_that_may_pass_is_tried_again_and_hides_the_key(embedder_for: Any, answer: Any, provider: Any) -> None:
    answer(status=503, body={"error": {"message": "busy: sk-this-is-a-key-0123456789"}})
    with pytest.raises(ServerFault) as caught:
        embedder_for("openai:nomic", model_attempts=2).embed(TEXTS)
    assert len(provider.requests) == 2
    assert "embedding" in str(caught.value)
    assert "sk-this" not in str(caught.value)


@pytest.mark.parametrize(
    ("model", "missing"), [("gemini:gemini-embedding-001", "GEMINI_API_KEY"), ("openrouter:a/b", "OPENROUTER_API_KEY")]
)
def test_a_key_that_is_missing_is_named_before_anything_is_asked(settings_for: Any, model: str, missing: str) -> None:
    more = {"GEMINI_API_KEY": None, "openrouter_api_key": None}
    with pytest.raises(ConfigurationError, match=missing) as caught:
        open_embedder(settings_for("x", embedding=EmbeddingSettings(model=model), **more))
    assert "EMBEDDING_MODEL" in caught.value.message


def test_without_a_name_there_is_no_such_model(settings_for: Any) -> None:
    assert open_embedder(settings_for("x")) is None
