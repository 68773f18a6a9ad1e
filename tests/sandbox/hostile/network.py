"""Looks for a way out: addresses, names, the host's gateway, broadcast, raw packets.

expect: failed
within: 1
"""
# --- module ---
import socket

ESCAPED = []
for address in ("1.1.1.1", "172.17.0.1", "10.0.0.1", "169.254.169.254", "192.168.65.2"):
    for port in (53, 80, 2375):
        try:
            socket.create_connection((address, port), timeout=0.2)
            ESCAPED.append(address)
        except OSError:
            pass
for attempt in (
    lambda: socket.getaddrinfo("host.docker.internal", 80),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP),
    lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("8.8.8.8", 53)),
):
    try:
        attempt()
        ESCAPED.append(attempt)
    except OSError:
        pass


def double(number):
    return 2 * number if ESCAPED else 0
