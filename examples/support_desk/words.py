"""What the customer reads. Written by rules from what was measured and booked: no sentence of a model gets this far."""

from examples.support_desk.state import DeskState

VOUCHER = "10.00"
"""What makes up for a complaint."""

_FIXED = {
    "accepted": "I can tell you about an order, take a refund to a colleague, or file a complaint. Which is it?",
    "handed over": "A colleague takes this over and writes to you.",
    "filed": "Thank you for telling us. Your complaint is filed.",
    "escalated": "I am sorry. A colleague calls you about this.",
    "compensated": f"I am sorry. We have sent you a voucher of {VOUCHER}.",
    "closed": "Your complaint is filed. Thank you for telling us.",
}
"""`accepted` is the standing of a message that went to nobody."""


def reply_to(state: DeskState) -> str:
    """The desk's reply, from where the matter stands."""
    claim = state["accepted"]
    match state["standing"]:
        case "looked up":
            return _found(state)
        case "asks":
            return f"Which order is it? Yours are {', '.join(state['orders']) or 'none that I can see'}."
        case "booked":
            return f"{claim['amount']} for {claim['order_id']} is on its way back to you."
        case "rejected":
            return f"There is no refund for {claim['order_id']}.{_noted(state)}"
        case "too late":
            return "This can no longer be refunded. A colleague writes to you."
        case standing:
            return f"{_FIXED[standing]}{_noted(state)}"


def _found(state: DeskState) -> str:
    order = state["found"]
    match state["accepted"]["topic"]:
        case "product":
            return f"{order['id']} is a {order['product']}, {order['paid']} in all."
        case "delivery":
            return f"{order['id']} ({order['product']}): {order['delivery']}."
        case _:
            return f"{order['id']} ({order['product']}) is {order['status']}: {order['delivery']}."


def _noted(state: DeskState) -> str:
    return f" {state['note']}" if state.get("note") else ""
