"""What is made of a guest's answer, or of none."""

import json
from typing import Any

import pytest

from sandbox import ContainerFailed, Job
from sandbox.conversation import Conversation
from sandbox.rewritten import RewrittenSuites

JOB = Job(code="", tests="def test_a(): ...")


class Guest:
    """A container whose guest answers as told."""

    image = "sha256:1"

    def __init__(self, answer: bytes | Exception | None, out_of_memory: bool = False) -> None:
        self.answer = answer
        self.out_of_memory = out_of_memory
        self.seconds = 0.0

    def send(self, message: bytes) -> None:
        assert int.from_bytes(message[:4], "big") == len(message) - 4

    def receive(self, seconds: float) -> bytes | None:
        self.seconds = seconds
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def ran_out_of_memory(self) -> bool:
        return self.out_of_memory


def test_a_guest_too_starved_to_answer_is_a_timeout_after_longer_than_its_own() -> None:
    guest: Any = Guest(None)
    report, _ = Conversation(guest, JOB, RewrittenSuites()).end()

    assert (report.status, report.stopped_by) == ("timeout", "timeout")
    assert guest.seconds > JOB.limits.seconds
    assert report.image == guest.image


def test_a_container_that_the_kernel_ended_for_want_of_memory_is_out_of_memory() -> None:
    guest: Any = Guest(ContainerFailed("gone"), out_of_memory=True)

    assert Conversation(guest, JOB, RewrittenSuites()).end()[0].status == "out_of_memory"


def test_a_container_that_ended_otherwise_is_our_fault() -> None:
    guest: Any = Guest(ContainerFailed("gone"))

    with pytest.raises(ContainerFailed, match="gone"):
        Conversation(guest, JOB, RewrittenSuites()).end()


RESULT = {
    "ended_by": "exit",
    "wait_status": 0,
    "report": "",
    "output_head": "",
    "output_tail": "",
    "output_bytes": 0,
    "seconds": 0.1,
}


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"[]",
        b"\xff",
        json.dumps({**RESULT, "passed": True}).encode(),
        json.dumps({**RESULT, "seconds": "1"}).encode(),
    ],
)
def test_an_answer_of_the_wrong_form_is_our_fault(answer: bytes) -> None:
    guest: Any = Guest(answer)

    with pytest.raises(ContainerFailed, match="wrong form"):
        Conversation(guest, JOB, RewrittenSuites()).end()


def test_an_answer_of_the_right_form_is_judged() -> None:
    guest: Any = Guest(json.dumps(RESULT).encode())

    assert Conversation(guest, JOB, RewrittenSuites()).end()[0].status == "incomplete"
