"""Looks for sockets of the host: the engine's, abstract ones, the virtual machine's, the kernel's.

expect: failed
within: 1
"""
# --- module ---
import socket

ESCAPED = []
PATHS = ["/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock"]
with open("/proc/net/unix") as known:
    PATHS += ["\0" + line.split()[-1][1:] for line in known if line.split()[-1].startswith("@")]
for path in PATHS:
    try:
        socket.socket(socket.AF_UNIX).connect(path)
        ESCAPED.append(path)
    except OSError:
        pass
for context in (0, 1, 2, 3):
    try:
        machine = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
        machine.settimeout(0.2)
        machine.connect((context, 22))
        ESCAPED.append(context)
    except OSError:
        pass
with open("/proc/net/route") as routes:
    ESCAPED += routes.read().splitlines()[1:]


def double(number):
    return 2 * number if ESCAPED else 0
