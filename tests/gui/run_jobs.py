"""Jobs and readings that the tests of the Run page share."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt

from batchdesk.domain.job import DataSpec, Job, Limits, PracticeSpec, ProviderSpec, Stage
from batchdesk.domain.task import RunState

SCHEMA = {
    "type": "object",
    "properties": {"sentiment": {"enum": ["positive", "negative"]}},
    "required": ["sentiment"],
}


def a_job(*, limits=None, **provider):
    return Job(
        name="Sentiment",
        data=DataSpec(key="id"),
        provider=ProviderSpec(**provider),
        stages=(Stage(name="s", user="Review: {{ text }}", output=SCHEMA, stream=True),),
        limits=limits or Limits(concurrency_max=4),
    )


def practice(latency_s=0.02, *, limits=None, **faults):
    spec = PracticeSpec(latency_s=latency_s, faults=faults)
    return a_job(preset="practice", practice=spec, limits=limits)


def run_to_end(desk):
    desk.engine.spin_until(lambda: set(desk.heard) - {RunState.RUNNING})
    desk.heard.clear()


def plotted(chart, key):
    """The values of one curve as it is drawn."""
    chart.draw()
    return [value for value in chart.drawn(key) if not math.isnan(value)]


def buttons(page):
    return [b.isEnabled() for b in (page.start_button, page.pause_button, page.stop_button)]


def text(model, line, column):
    model.data(model.index(line, column), Qt.ItemDataRole.DisplayRole)  # asks for its page
    return model.data(model.index(line, column), Qt.ItemDataRole.DisplayRole)
