"""Raises every limit of its process.

expect: failed
within: 1
"""
# --- module ---
import resource

ESCAPED = []
for name in ("RLIMIT_NOFILE", "RLIMIT_FSIZE", "RLIMIT_CORE", "RLIMIT_STACK"):
    for value in (1 << 40, resource.RLIM_INFINITY):
        try:
            resource.setrlimit(getattr(resource, name), (value, value))
            ESCAPED.append(name)
        except (OSError, ValueError):
            pass
try:
    resource.prlimit(1, resource.RLIMIT_NOFILE, (1, 1))
    ESCAPED.append("prlimit")
except OSError:
    pass


def double(number):
    return 2 * number if ESCAPED else 0
