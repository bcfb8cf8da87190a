"""The studio's server: the page and its socket, on the loopback address, behind a secret in the address."""

from __future__ import annotations

import asyncio
import json
import secrets
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope
from starlette.types import Send as SendEvent
from starlette.websockets import WebSocket, WebSocketDisconnect

from gyrostat.studio.folder import StudioFolder
from gyrostat.studio.messages import StudioMessage
from gyrostat.studio.page_files import page_file, page_frame
from gyrostat.studio.session import StudioSession

_HOSTS = ("127.0.0.1", "localhost")
_WINDOW_LIMIT = 20
_ENDING_TIMEOUT = 5.0
"""Seconds that the work of a closed page may take to end."""
_FORBIDDEN_CODE = 4403
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@dataclass
class StudioServer:
    """The application for one folder; `file` and `example` are what a new window opens."""

    folder: StudioFolder
    file: str = ""
    example: str = ""
    notice: str = ""
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    port: int = 0
    sessions: set[StudioSession] = field(default_factory=set)

    @property
    def address(self) -> str:
        """The page's address, with the secret."""
        return f"http://127.0.0.1:{self.port}/{self.secret}/"

    def application(self) -> ASGIApp:
        """Return the ASGI application."""
        inner = Starlette(
            routes=[
                Route("/{secret}/", self._page),
                Route("/{secret}/studio.js", self._script),
                Route("/{secret}/studio.css", self._style),
                WebSocketRoute("/{secret}/socket", self._socket),
            ]
        )
        return _Gate(inner, self)

    def close(self) -> None:
        """End the work of all windows."""
        for session in tuple(self.sessions):
            session.close()

    # --- pages ----------------------------------------------------------------------------------------------------

    async def _page(self, request: Request) -> Response:
        nonce = secrets.token_urlsafe(12)
        slots = {
            "STYLE": '<link rel="stylesheet" href="studio.css">',
            "SCRIPT": '<script src="studio.js"></script>',
            "NONCE": nonce,
        }
        headers = {**_HEADERS, "Content-Security-Policy": self._policy(nonce)}
        return Response(page_frame(slots), media_type="text/html", headers=headers)

    async def _script(self, request: Request) -> Response:
        return Response(page_file("studio.js"), media_type="text/javascript", headers=_HEADERS)

    async def _style(self, request: Request) -> Response:
        return Response(page_file("studio.css"), media_type="text/css", headers=_HEADERS)

    def _policy(self, nonce: str) -> str:
        """Return a policy that allows the page's own script and style, its socket, and nothing else."""
        sockets = " ".join(f"ws://{host}:{self.port}" for host in _HOSTS)
        return (
            f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; font-src data:; "
            f"img-src data: blob:; connect-src {sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )

    # --- socket ---------------------------------------------------------------------------------------------------

    async def _socket(self, socket: WebSocket) -> None:
        if len(self.sessions) >= _WINDOW_LIMIT:
            await socket.close(_FORBIDDEN_CODE, f"There are {_WINDOW_LIMIT} windows already.")
            return
        await socket.accept()
        loop = asyncio.get_running_loop()
        outgoing: asyncio.Queue[StudioMessage] = asyncio.Queue()

        def send(message: StudioMessage) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(outgoing.put_nowait, message)

        session = StudioSession(self.folder, send, notice=self.notice)
        self.sessions.add(session)
        writer = asyncio.create_task(_write(socket, outgoing))
        try:
            await self._read(socket, session)
        except WebSocketDisconnect:
            pass
        finally:
            writer.cancel()
            session.close()
            self.sessions.discard(session)
            await asyncio.to_thread(session.join, _ENDING_TIMEOUT)

    async def _read(self, socket: WebSocket, session: StudioSession) -> None:
        while True:
            text = await socket.receive_text()
            try:
                message = json.loads(text)
            except ValueError:
                message = {}
            if isinstance(message, dict):
                if message.get("type") == "hello" and not (message.get("file") or message.get("example")):
                    message = {**message, "file": self.file, "example": self.example}
                session.handle(message)


async def _write(socket: WebSocket, outgoing: asyncio.Queue[StudioMessage]) -> None:
    """Send messages in order; of pictures of a driven motion that wait, only the last."""
    while True:
        message = await outgoing.get()
        while message.type == "live" and not outgoing.empty():
            message = outgoing.get_nowait()
        if message.arrays:
            await socket.send_bytes(message.encoded())
        else:
            await socket.send_text(message.text())


class _Gate:
    """Refuses requests without the secret, for another host, or from another origin."""

    def __init__(self, inner: ASGIApp, server: StudioServer) -> None:
        self._inner, self._server = inner, server

    async def __call__(self, scope: Scope, receive: Receive, send: SendEvent) -> None:
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            return
        reason = self._refusal(HTTPConnection(scope))
        if not reason:
            await self._inner(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(_FORBIDDEN_CODE, reason)
        else:
            await PlainTextResponse(reason, 403, headers=_HEADERS)(scope, receive, send)

    def _refusal(self, request: HTTPConnection) -> str:
        """Return why a request is refused; empty if it is not."""
        given = request.scope["path"].split("/")[1]
        if not secrets.compare_digest(given.encode(), self._server.secret.encode()):
            return "The address lacks the secret of this studio. Open the address that the terminal shows."
        hosts = [f"{host}:{self._server.port}" for host in _HOSTS]
        if request.headers.get("host") not in hosts:
            return "This studio answers on the loopback address only."
        origin = request.headers.get("origin")
        needed = request.scope["type"] == "websocket"
        if (needed or origin is not None) and origin not in [f"http://{host}" for host in hosts]:
            return "This studio answers its own page only, not those of other origins."
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return "This studio answers its own page only, not those of other sites."
        return ""
