"""Becomes root, the supervisor or any other user, by every call that there is.

expect: failed
within: 1
"""
# --- module ---
import os

ESCAPED = []
for user in (0, 10001, 10003, 65534):
    for call, count in ((os.setuid, 1), (os.setgid, 1), (os.seteuid, 1), (os.setreuid, 2), (os.setresuid, 3)):
        try:
            call(*[user] * count)
            ESCAPED.append(call)
        except OSError:
            pass
    try:
        os.setgroups([user])
        ESCAPED.append(user)
    except OSError:
        pass


def double(number):
    return 2 * number if ESCAPED else 0
