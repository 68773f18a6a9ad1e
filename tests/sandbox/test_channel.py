"""The line to a container, with the other end in our own hand."""

import socket
import struct
from collections.abc import Iterator

import pytest

from sandbox.channel import AttachChannel, ChannelClosed, ChannelSilent
from sandbox.protocol import MAX_MESSAGE_BYTES


@pytest.fixture
def ends() -> Iterator[tuple[AttachChannel, socket.socket]]:
    ours, theirs = socket.socketpair()
    channel = AttachChannel(ours)
    with theirs:
        yield channel, theirs
    channel.close()


def frame(kind: int, data: bytes) -> bytes:
    return struct.pack(">BxxxI", kind, len(data)) + data


def message(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def test_a_message_may_be_cut_into_frames_anywhere(ends: tuple[AttachChannel, socket.socket]) -> None:
    channel, theirs = ends
    for byte in message(b"hello") + message(b"again"):
        theirs.sendall(frame(1, bytes([byte])))

    assert channel.receive(10) == b"hello"
    assert channel.receive(10) == b"again"


def test_standard_error_is_kept_apart_and_bounded(ends: tuple[AttachChannel, socket.socket]) -> None:
    channel, theirs = ends
    theirs.sendall(frame(2, b"x" * 10_000 + b"last words") + frame(1, message(b"ok")))

    assert channel.receive(10) == b"ok"
    assert channel.stderr.endswith(b"last words")
    assert len(channel.stderr) == 4000


def test_what_is_sent_arrives(ends: tuple[AttachChannel, socket.socket]) -> None:
    channel, theirs = ends
    channel.send(b"job", 10)

    assert theirs.recv(10) == b"job"


def test_a_silent_container_is_told_from_a_closed_one(ends: tuple[AttachChannel, socket.socket]) -> None:
    channel, theirs = ends
    theirs.sendall(frame(1, b"\0\0"))
    with pytest.raises(ChannelSilent):
        channel.receive(0.01)
    theirs.close()
    with pytest.raises(ChannelClosed):
        channel.receive(10)


def test_sending_to_a_closed_container_is_told(ends: tuple[AttachChannel, socket.socket]) -> None:
    channel, theirs = ends
    theirs.close()

    with pytest.raises(ChannelClosed):
        channel.send(b"x" * 1_000_000, 10)


def test_a_message_of_absurd_length_is_refused(ends: tuple[AttachChannel, socket.socket]) -> None:
    channel, theirs = ends
    theirs.sendall(frame(1, struct.pack(">I", MAX_MESSAGE_BYTES + 1)))

    with pytest.raises(ChannelClosed, match="longer"):
        channel.receive(10)
