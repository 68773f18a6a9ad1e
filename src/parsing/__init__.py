"""A model's reply -> specification and suite, code, diagnosis, claim, decision, reading, review; or `FormatError`.

The way through: `text` cleans a reply, `sources` finds the places where code may stand (`markdown`, `wrappers`,
`regions`), `repair` undoes what the journey did to them, `choice` picks and joins. What is Python and what is not is
decided by Python's own parser.
"""

from src.parsing.architect import ArchitectReply, parse_architect
from src.parsing.claim import Claim
from src.parsing.code import parse_developer
from src.parsing.debugger import DebuggerReply, parse_debugger
from src.parsing.dispute import DisputeReply, parse_dispute
from src.parsing.errors import FormatError, Kind
from src.parsing.reader import ReaderReply, parse_reader
from src.parsing.review import parse_review

__all__ = [
    "ArchitectReply",
    "Claim",
    "DebuggerReply",
    "DisputeReply",
    "FormatError",
    "Kind",
    "ReaderReply",
    "parse_architect",
    "parse_debugger",
    "parse_developer",
    "parse_dispute",
    "parse_reader",
    "parse_review",
]
