"""What a suite may not do: leave tests out, wait, talk to a network, start programs, steer pytest."""

import ast
from collections.abc import Iterator, Mapping

from src.gates.outline import Outline, shown
from src.gates.source import module_level

LONGEST_SLEEP = 1.0
"""Seconds that one call may sleep."""

LEFT_OUT = {
    "pytest.skip",
    "pytest.xfail",
    "pytest.importorskip",
    "pytest.exit",
    "pytest.mark.skip",
    "pytest.mark.skipif",
    "pytest.mark.xfail",
    "unittest.skip",
    "unittest.skipIf",
    "unittest.skipUnless",
    "unittest.expectedFailure",
    "unittest.SkipTest",
    "self.skipTest",
}
SLEEPS = {"time.sleep", "asyncio.sleep"}

NETWORK = {
    "socket.socket",
    "socket.create_connection",
    "socket.create_server",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "urllib.request.urlopen",
    "urllib.request.urlretrieve",
    "http.client.HTTPConnection",
    "http.client.HTTPSConnection",
    "http.server.HTTPServer",
    "http.server.ThreadingHTTPServer",
    "socketserver.TCPServer",
    "socketserver.ThreadingTCPServer",
    "socketserver.UDPServer",
    "ftplib.FTP",
    "smtplib.SMTP",
    "xmlrpc.client.ServerProxy",
    "asyncio.open_connection",
    "asyncio.start_server",
    "webbrowser.open",
}
PROGRAMS = {
    "os.system",
    "os.popen",
    "os.fork",
    "os.forkpty",
    "os.kill",
    "os.killpg",
    "os.abort",
    "os._exit",
    "os.posix_spawn",
    "pty.spawn",
    "pty.fork",
    "asyncio.create_subprocess_exec",
    "asyncio.create_subprocess_shell",
}
STEERING = {"pytest_plugins", "collect_ignore"}
HARMLESS_OF_SUBPROCESS = {"CalledProcessError", "TimeoutExpired", "SubprocessError", "CompletedProcess", "list2cmdline"}


def forbidden_deeds(outline: Outline) -> Iterator[str]:
    """A reason for each thing in the suite that no suite may do."""
    numbers = _numbers(outline)
    for node in outline.nodes:
        if isinstance(node, ast.Attribute | ast.Name) and outline.meaning(node) in LEFT_OUT:
            yield f"{outline.place(node)}: `{shown(node)}` leaves a test out; each must run, or not be there."
        elif isinstance(node, ast.Call):
            yield from _call(node, outline, numbers)
    yield from _hooks(outline)


def _call(node: ast.Call, outline: Outline, numbers: Mapping[str, float]) -> Iterator[str]:
    name = outline.meaning(node.func)
    if name in SLEEPS and node.args:
        seconds = _folded(node.args[0], numbers)
        if seconds is not None and seconds > LONGEST_SLEEP:
            yield (
                f"{outline.place(node)}: `{shown(node)}` sleeps longer than a second; "
                "pass a clock that the test moves, or patch `time.sleep`."
            )
    elif name in NETWORK:
        yield f"{outline.place(node)}: `{shown(node)}` needs a network, and there is none; use a fake object."
    elif name in PROGRAMS or _starts_program(name):
        yield f"{outline.place(node)}: `{shown(node)}` starts or ends a process; call the module's functions directly."


def _starts_program(name: str) -> bool:
    room, _, last = name.rpartition(".")
    if room == "subprocess":
        return last not in HARMLESS_OF_SUBPROCESS
    return room == "os" and last.startswith(("exec", "spawn"))


def _hooks(outline: Outline) -> Iterator[str]:
    for node in module_level(outline.tree.body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("pytest_"):
            yield (
                f"Line {node.lineno}: `{node.name[:60]}` is a hook of pytest, which a suite may not steer; "
                "use fixtures or `pytest.mark.parametrize`."
            )
        elif isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id in {"pytest_plugins", "collect_ignore"}
            for target in node.targets
        ):
            yield f"Line {node.lineno}: a suite loads no plugins of pytest; leave `{shown(node)}` out."


def _numbers(outline: Outline) -> dict[str, float]:
    """Names that are given a number, and the largest one that each is given."""
    found: dict[str, float] = {}
    for node in outline.nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = _folded(node.value, {})
            if value is not None:
                name = node.targets[0].id
                found[name] = max(value, found.get(name, value))
    return found


def _folded(node: ast.expr, numbers: Mapping[str, float]) -> float | None:
    """The number that `node` comes to, as far as its text tells."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value) if abs(node.value) < 1e300 else 1e300
    if isinstance(node, ast.Name):
        return numbers.get(node.id)
    if isinstance(node, ast.BinOp):
        left, right = _folded(node.left, numbers), _folded(node.right, numbers)
        return None if left is None or right is None else _combined(left, node.op, right)
    return None


def _combined(left: float, op: ast.operator, right: float) -> float | None:
    if isinstance(op, ast.Add):
        return left + right
    if isinstance(op, ast.Sub):
        return left - right
    if isinstance(op, ast.Mult):
        return left * right
    return left / right if isinstance(op, ast.Div) and right else None
