"""A private Postgres for tests, from the machine's own binaries: one for all workers of a test run."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

NOBODY_ELSE = "postgres"
"""Who runs the server where the tests run as root, which Postgres refuses."""
FAST = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200 -c shared_buffers=16MB"


def binaries() -> Path | None:
    """Where `initdb` and `pg_ctl` lie; the newest where there are several."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    on_path = shutil.which("initdb")
    newest = sorted(found, key=lambda path: int(path.parent.name.split(".")[0]))
    return newest[-1] if newest else Path(on_path).resolve().parent if on_path else None


@contextmanager
def private_cluster(programs: Path) -> Iterator[str]:
    """A server that listens on a Unix socket alone; gives the address of a database in it."""
    folder = Path(tempfile.mkdtemp(prefix="selfheal-pg-"))
    try:
        if os.getuid() == 0:
            user = pwd.getpwnam(NOBODY_ELSE)
            os.chown(folder, user.pw_uid, user.pw_gid)
        data = str(folder / "data")
        _do(
            programs / "initdb", "-D", data, "-U", "team", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions"
        )
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} {FAST}"
        _do(programs / "pg_ctl", "-D", data, "-w", "-s", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield f"postgresql://team@/postgres?host={quote(str(folder), safe='')}"
        finally:
            _do(programs / "pg_ctl", "-D", data, "-m", "immediate", "-s", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _do(program: Path, *words: str) -> None:
    as_whom: Any = {"user": NOBODY_ELSE, "group": NOBODY_ELSE, "extra_groups": []} if os.getuid() == 0 else {}
    subprocess.run(
        [program, *words],
        **as_whom,
        cwd="/",
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
        timeout=120,
    )
