"""Encryption of what is kept of a run, with a key from the settings; without one everything is kept as it is."""

import base64
import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any

from src.errors import ConfigurationError

NONCE_BYTES = 12
_WRONG_KEY = "What is kept of the runs cannot be read with this RUNS_KEY."


class Vault:
    """Seals and opens bytes with AES-256-GCM, which notices both a wrong key and a change."""

    def __init__(self, key: str | None = None) -> None:
        """`key`: any long secret text; `None`: nothing is encrypted."""
        self._key = hashlib.scrypt(key.encode(), salt=b"selfheal runs", n=2**14, r=8, p=1, dklen=32) if key else None

    @property
    def locked(self) -> bool:
        """Whether there is a key."""
        return self._key is not None

    def seal(self, content: bytes) -> bytes:
        """`content`, encrypted where there is a key."""
        if self._key is None:
            return content
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = os.urandom(NONCE_BYTES)
        return nonce + AESGCM(self._key).encrypt(nonce, content, None)

    def open(self, sealed: bytes) -> bytes:
        """What was sealed. Raises `ConfigurationError` when the key is another one."""
        if self._key is None:
            return sealed
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        try:
            return AESGCM(self._key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], None)
        except InvalidTag:
            raise ConfigurationError(_WRONG_KEY, "Set the key that the runs were saved with.") from None

    def pack(self, value: Any) -> dict[str, str]:
        """Plain data as an entry of a store: sealed where there is a key, else as JSON within a text.

        Within a text, since what a model answers may hold the one character that Postgres takes in no JSON of its own.
        """
        told = json.dumps(value)
        return {"sealed": base64.b85encode(self.seal(told.encode())).decode()} if self.locked else {"json": told}

    def unpack(self, kept: Mapping[str, Any]) -> Any:
        """What was packed, or kept as it was by an older version. Raises `ConfigurationError` for a key that is missing
        or another one.
        """
        if "sealed" not in kept:
            return json.loads(kept["json"]) if "json" in kept else kept
        if not self.locked:
            raise ConfigurationError("What is kept is encrypted.", "Set RUNS_KEY to its key.")
        return json.loads(self.open(base64.b85decode(kept["sealed"])))

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        """As LangGraph's serializer asks for it."""
        return "aesgcm", self.seal(plaintext)

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        """As LangGraph's serializer asks for it."""
        if ciphername != "aesgcm" or self._key is None:
            raise ConfigurationError(_WRONG_KEY, "Set the key that the runs were saved with.")
        return self.open(ciphertext)
