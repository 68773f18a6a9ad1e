"""What a run is told of earlier ones: the lessons that are relevant to its request, by meaning or by words."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from src.audit import audit_entry
from src.errors import BudgetReached, ProviderError
from src.events import Progress
from src.lessons import Lesson, chosen, relevance
from src.meaning import MAX_CHARACTERS, MAX_TEXTS, OTHERS, nearness, unit
from src.runs.database import Database
from src.runs.shelf import Shelf
from src.runs.vectors import Vectors
from src.state import Hint, TeamState

if TYPE_CHECKING:
    from src.context import TeamContext

PLACE = "lessons"
"""Place of the request to an embedding model in a run's ledger."""


class Library:
    """The lessons of a project, as a run that begins looks into them."""

    def __init__(self, project: str | None, database: Database) -> None:
        """`project`: `None` when lessons are off. Raises `ConfigurationError` for lessons that cannot be read."""
        self._known: list[Lesson] = []
        if project is not None:
            self._known, self._records = Shelf(database.store, project, database.vault).known()
            self._vectors = Vectors(database.store, project, database.vault)

    def told(self, request: str, context: "TeamContext") -> TeamState:
        """The part of the state that tells of them. A model that cannot be asked ends no run: words decide then."""
        if not self._known:
            return TeamState()
        texts = {one.key: f"{one.cause} {one.request}" for one in self._known}
        told = TeamState()
        try:
            scores = self._by_meaning(request, texts, context) if context.embedder else relevance(request, texts)
        except (ProviderError, BudgetReached) as error:
            scores = relevance(request, texts)
            context.on_event(Progress(f"{error.message} Lessons are found by their words."))
            reasons = [error.message]
            told["audit"] = [audit_entry(PLACE, role=PLACE, gate="embedding", reasons=reasons, action="found by words")]
        found = chosen(self._known, scores, self._records)
        told["lessons"] = [Hint(key=one.key, text=one.cause) for one in found]
        return told

    def _by_meaning(self, request: str, texts: Mapping[str, str], context: "TeamContext") -> dict[str, float]:
        """How near each lesson is, by its key. Raises what the ledger raises.

        One request embeds what has no vector yet; where that is more than it may hold, the rest waits for later runs.
        """
        assert context.embedder is not None
        every = {**OTHERS, **texts}
        known = self._vectors.of(context.embedder.name)
        missing = [key for key in every if key not in known][: MAX_TEXTS - 1]
        sent = [text[:MAX_CHARACTERS] for text in (request, *(every[key] for key in missing))]
        asked, *made = map(unit, context.ledger.embed(PLACE, context.embedder, sent))
        new = dict(zip(missing, made, strict=True))
        for key, vector in new.items():
            self._vectors.keep(context.embedder.name, key, vector)
        for key in [key for key, vector in known.items() if len(vector) != len(asked)]:
            self._vectors.forget(key)  # another model answers to that name now
        return nearness(asked, {key: vector for key, vector in {**known, **new}.items() if key in every})
