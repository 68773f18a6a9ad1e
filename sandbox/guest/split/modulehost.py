"""The process that the module lives in.

python3 -I modulehost.py SOCKET_FD MODULE_FOLDER
"""

import os
import socket
import sys

sys.dont_write_bytecode = True
GUEST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if os.path.isdir(os.path.join(GUEST, "site-packages")):
    sys.path.append(os.path.join(GUEST, "site-packages"))  # where the image keeps them
sys.path.insert(0, GUEST)

from split.moduleside import serve  # type: ignore[import-not-found]  # noqa: E402  # found only now

del sys.path[0]
serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])
