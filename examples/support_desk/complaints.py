"""The specialist for complaints: claim → gate → a person, when the customer is upset → filed."""

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from examples.support_desk.author import build_extraction
from examples.support_desk.claims import ComplaintClaim
from examples.support_desk.edges import after_complaint_claim
from examples.support_desk.extraction import Extraction
from examples.support_desk.gates import complaint_verdict
from examples.support_desk.people import decide, lines, written
from examples.support_desk.prompts import COMPLAINTS
from examples.support_desk.refunds import key_of
from examples.support_desk.state import DeskContext, DeskState, MatterOutput
from examples.support_desk.words import VOUCHER
from src.approvals import Approval
from src.gated import Box, Update

CLAIM = Extraction(
    "complaints", ComplaintClaim, COMPLAINTS, lambda claim, state: complaint_verdict(claim, state["orders"])
)


def build_complaints() -> Box:
    """The specialist as a box."""
    graph = StateGraph(DeskState, DeskContext, output_schema=MatterOutput)
    graph.add_node("claim", build_extraction(CLAIM))
    graph.add_node("decision", decision)
    graph.add_node("file", file)
    graph.add_edge(START, "claim")
    graph.add_conditional_edges("claim", after_complaint_claim)
    graph.add_edge("decision", "file")
    graph.add_edge("file", END)
    return graph.compile(name="complaints")


def decision(state: DeskState) -> Update:
    """A person decides what a customer who is upset gets."""
    claim = state["accepted"]
    approval = Approval(
        matter="complaint",
        question=f"The customer is {claim['sentiment']}. What becomes of the complaint?",
        background=lines(
            customer=state["customer"],
            order=claim["order_id"],
            summary=claim["summary"],
            the_customer_wrote=written(state),
        ),
        decisions=("escalate", "compensate", "close"),
        meanings={
            "escalate": "a colleague calls the customer",
            "compensate": f"a voucher of {VOUCHER}",
            "close": "it is filed, and that is all",
        },
        explained=(),
    )
    return decide(state, approval, {"escalate": "escalated", "compensate": "compensated", "close": "closed"})


def file(state: DeskState, runtime: Runtime[DeskContext]) -> Update:
    """The tool: files what the gate let through, once, with a voucher where a person decided so."""
    standing = "filed" if state["standing"] == "accepted" else state["standing"]
    voucher = VOUCHER if standing == "compensated" else "0.00"
    runtime.context.shop.file_complaint(
        key_of(state, "complaint"), state["customer"], state["accepted"], standing, voucher
    )
    return {"standing": standing}
