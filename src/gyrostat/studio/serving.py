"""Running the studio's server: its port, and its end."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from gyrostat.errors import GyrostatError
from gyrostat.studio.server import StudioServer

LOOPBACK = "127.0.0.1"
_BACKLOG = 64
_START_TIMEOUT = 20.0
_END_TIMEOUT = 10.0


def bound_socket(port: int | None) -> tuple[socket.socket, str]:
    """Return a socket on the loopback address, and a sentence where a requested port was not free."""
    if port is not None and not 0 < port < 65536:
        raise GyrostatError(f"{port} is not a port. Choose a number from 1024 to 65535, or leave it out.")
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows: no other program may share the port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        try:
            listening.bind((LOOPBACK, port or 0))
            notice = ""
        except OSError as error:
            if port is None:
                raise
            listening.bind((LOOPBACK, 0))
            reason = error.strerror or str(error)
            free = listening.getsockname()[1]
            notice = f"Port {port} cannot be used ({reason}); another studio or program has it. This is port {free}."
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise GyrostatError(f"No port of the loopback address can be used: {error.strerror}.") from None
    return listening, notice


def serve(studio: StudioServer, listening: socket.socket, started: Callable[[], None]) -> None:
    """Serve until the process is interrupted; `started` is called when the page can be opened."""
    server = _uvicorn(studio, listening, started)
    try:
        server.run(sockets=[listening])
    finally:
        studio.close()
        listening.close()


@contextmanager
def serving(studio: StudioServer, port: int | None = None) -> Iterator[str]:
    """Context manager: a server in a thread, that ends with the block; yields the page's address."""
    listening, studio.notice = bound_socket(port)
    ready = threading.Event()
    server = _uvicorn(studio, listening, ready.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="gyrostat server", daemon=True)
    thread.start()
    try:
        if not ready.wait(_START_TIMEOUT):
            raise GyrostatError("The studio's server did not start.")
        yield studio.address
    finally:
        studio.close()
        server.should_exit = server.force_exit = True
        thread.join(_END_TIMEOUT)
        listening.close()


def _uvicorn(studio: StudioServer, listening: socket.socket, started: Callable[[], None]) -> uvicorn.Server:
    studio.port = listening.getsockname()[1]
    settings = uvicorn.Config(
        studio.application(),
        log_level="error",
        access_log=False,
        lifespan="off",
        ws="websockets-sansio",
        ws_max_size=16_000_000,
        ws_per_message_deflate=False,  # on the loopback address, compression costs more than it saves
        timeout_graceful_shutdown=3,
        server_header=False,
    )
    return _StartedServer(settings, started)


class _StartedServer(uvicorn.Server):
    """A server that calls a function when it has started."""

    def __init__(self, settings: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(settings)
        self._started_call = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and call the function."""
        await super().startup(sockets=sockets)
        self._started_call()
