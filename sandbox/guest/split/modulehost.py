"""The process that the module lives in.

python3 -I modulehost.py SOCKET_FD MODULE_PATH MODULE_NAME
"""

import os
import socket
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from split.moduleside import serve  # type: ignore[import-not-found]  # noqa: E402  # found only now

del sys.path[0]
serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2], sys.argv[3])
