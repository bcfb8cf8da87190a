"""The studio's view of a model in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.errors import GyrostatError
from gyrostat.lazy import later
from gyrostat.model import Model

if TYPE_CHECKING:
    from gyrostat.studio import widget
    from gyrostat.studio.widget import StudioWidget
else:
    (widget,) = later("gyrostat.studio", "widget")


def studio_widget(model: Model, *, height: int = 560) -> StudioWidget:
    """Return a widget for notebooks: a slider for each parameter and initial value, the motion, plots and tabs.

    Moving a slider simulates again. The model itself is not changed; `widget.text` is the model file with the
    numbers of the sliders. `height` is in pixels.
    """
    if not isinstance(model, Model):
        raise GyrostatError(f"{model!r:.60} is not a model. Give a gs.Model, as in gs.studio_widget(model).")
    return widget.StudioWidget(model, height=height)
