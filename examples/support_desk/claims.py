"""The forms that models fill in. pydantic checks their shape alone; whether a claim holds is for the gates."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from examples.support_desk.facts import amount
from examples.support_desk.gates import ROUTES, SENTIMENTS, TOPICS

MAX_TEXT = 2_000
"""Characters of a field at most."""

_NUMBER = "The order's number as the customer gave it, such as ORD-1234; empty when the customer gave none."


def _text(told: str, *known: str, **more: Any) -> Any:
    return Field(
        max_length=MAX_TEXT, description=told, json_schema_extra={"enum": list(known)} if known else None, **more
    )


class _Form(BaseModel):
    model_config = ConfigDict(coerce_numbers_to_str=True, frozen=True)


class Route(_Form):
    """Who answers the customer's latest message."""

    route: str = _text("Who answers; unclear when it is for none of them.", *ROUTES)
    why: str = _text("Why, in a few words.", default="")


class OrderQuestion(_Form):
    """What the customer wants to know of an order."""

    order_id: str = _text(_NUMBER)
    topic: str = _text("What it is about.", *TOPICS)


class RefundClaim(_Form):
    """What the customer wants back, and why."""

    order_id: str = _text(_NUMBER)
    amount: str = _text("The amount as digits with two decimals, such as 49.90.")
    reason: str = _text("Why, in the customer's words.")

    @field_validator("amount")
    @classmethod
    def _to_the_cent(cls, text: str) -> str:
        """79.9 is 79.90; what is no amount is left to the gate, as it is."""
        found = amount(text)
        return text if found is None else str(found)


class ComplaintClaim(_Form):
    """What the customer complains of."""

    order_id: str = _text(_NUMBER)
    summary: str = _text("What went wrong, in one or two sentences.")
    sentiment: str = _text("How the customer sounds.", *SENTIMENTS)


class Summary(_Form):
    """What was said before, in a few sentences."""

    summary: str = _text("Who wanted what, and what became of it. Orders by their numbers.")
