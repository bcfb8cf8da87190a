"""The studio's view in notebooks: a widget with sliders, motion, plots and tabs of a model."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from gyrostat.errors import GyrostatError
from gyrostat.model import Model
from gyrostat.model.documents import write_yaml
from gyrostat.model.model_file import model_to_plain
from gyrostat.studio.folder import StudioFolder
from gyrostat.studio.messages import StudioMessage
from gyrostat.studio.page_files import whole_page
from gyrostat.studio.session import StudioSession

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise GyrostatError(
        "The widget needs anywidget, which is not installed. Install it: pip install gyrostat[notebook]"
    ) from error

_SCRIPT = """
export default {
  render({ model, el }) {
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts allow-downloads";
    frame.title = "gyrostat studio";
    frame.style.cssText = `width: 100%; height: ${model.get("height")}px; border: 0; border-radius: 8px`;
    const back = (content, buffers) => {
      if (content.page !== undefined) frame.srcdoc = content.page;
      else frame.contentWindow?.postMessage({ gyrostat: buffers?.length ? buffers[0] : content.text }, "*");
    };
    const forth = (event) => {
      if (event.source === frame.contentWindow && event.data?.gyrostat) model.send(event.data.gyrostat);
    };
    model.on("msg:custom", back);
    window.addEventListener("message", forth);
    el.append(frame);
    model.send({ type: "page" });
    return () => {
      model.off("msg:custom", back);
      window.removeEventListener("message", forth);
    };
  },
};
"""


class StudioWidget(anywidget.AnyWidget):
    """A model in a notebook: moving a slider simulates it again, and motion, plots and tabs follow.

    The model itself is not changed; `text` is the model file with the sliders' numbers.
    """

    _esm = _SCRIPT
    height = traitlets.Int(560).tag(sync=True)

    def __init__(self, model: Model, *, height: int = 560) -> None:
        super().__init__(height=height)
        text = write_yaml(model_to_plain(model))
        self._session = StudioSession(StudioFolder(Path.cwd()), self._forward, text=text)
        self.on_msg(self._take)

    @property
    def text(self) -> str:
        """The text of the model as a file has it, with the numbers of the sliders."""
        return self._session.text

    def close(self) -> None:
        """End the widget's work, and the widget."""
        self._session.close()
        super().close()

    def _take(self, _: Any, content: Any, buffers: Any) -> None:
        if not isinstance(content, dict):
            return
        if content.get("type") == "page":
            self.send({"page": _page()})
        else:
            self._session.handle(content)

    def _forward(self, message: StudioMessage) -> None:
        if message.arrays:
            self.send({}, buffers=[message.encoded()])
        else:
            self.send({"text": message.text()})


def _page() -> str:
    """Return the page for a frame: it may load nothing, and reach nothing but the widget."""
    nonce = secrets.token_urlsafe(12)
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; font-src data:; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    return whole_page(policy, nonce)
