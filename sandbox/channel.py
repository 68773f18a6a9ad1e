"""The line to a container's standard input and output: length-prefixed messages over the engine's attach stream."""

import contextlib
import socket
import struct
import time
from typing import Any

from sandbox.protocol import MAX_MESSAGE_BYTES

STDOUT = 1
KEPT_STDERR = 4000


class ChannelClosed(Exception):
    """The container's end of the line is closed, or broken."""


class ChannelSilent(Exception):
    """Nothing more arrived in time."""


class AttachChannel:
    """Wraps what the SDK's `attach_socket` returned. Close it before the container is killed: killing waits for it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._socket = getattr(stream, "_sock", stream)
        self._stdout = bytearray()
        self.stderr = bytearray()

    def send(self, message: bytes, seconds: float) -> None:
        """Send a framed message. Raises `ChannelClosed`."""
        try:
            self._socket.settimeout(seconds)
            self._socket.sendall(message)
        except OSError as error:
            raise ChannelClosed(str(error)) from error

    def receive(self, seconds: float) -> bytes:
        """The next message. Raises `ChannelSilent` when it is not whole within `seconds`, `ChannelClosed`."""
        deadline = time.monotonic() + seconds
        (length,) = struct.unpack(">I", self._read(4, deadline))
        if length > MAX_MESSAGE_BYTES:
            raise ChannelClosed("a message is longer than any that is sent")
        return self._read(length, deadline)

    @property
    def quiet(self) -> bool:
        """Whether it is open and nothing came that was not asked for."""
        if self._stdout:
            return False
        try:
            self._socket.settimeout(0)
            self._socket.recv(1)
        except BlockingIOError:
            return True
        except OSError as error:  # broken, or closed on our side; or TLS, which says in its own way that nothing came
            return type(error).__name__ == "SSLWantReadError"
        return False

    def close(self) -> None:
        """Give the stream back, and the HTTP response that it came with."""
        with contextlib.suppress(OSError):  # already broken
            self._socket.shutdown(socket.SHUT_RDWR)
        for part in (getattr(self._stream, "_response", None), self._stream):
            if part is not None:
                with contextlib.suppress(OSError):
                    part.close()

    def _read(self, count: int, deadline: float) -> bytes:
        while len(self._stdout) < count:
            kind, length = struct.unpack(">BxxxI", self._raw(8, deadline))
            while length:
                piece = self._raw(min(length, 65536), deadline)
                length -= len(piece)
                self._take(kind, piece)
        data = bytes(self._stdout[:count])
        del self._stdout[:count]
        return data

    def _take(self, kind: int, piece: bytes) -> None:
        if kind == STDOUT:
            self._stdout += piece
        else:
            self.stderr = (self.stderr + piece)[-KEPT_STDERR:]

    def _raw(self, count: int, deadline: float) -> bytes:
        data = b""
        while len(data) < count:
            left = deadline - time.monotonic()
            if left <= 0:
                raise ChannelSilent
            try:
                self._socket.settimeout(left)
                chunk = self._socket.recv(count - len(data))
            except TimeoutError:
                raise ChannelSilent from None
            except OSError as error:
                raise ChannelClosed(str(error)) from error
            if not chunk:
                raise ChannelClosed("the container closed its output")
            data += chunk
        return data
