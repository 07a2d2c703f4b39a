"""The colours of both themes: one frozen value each, named by use. See `Tokens.colour`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from PySide6.QtGui import QColor


@dataclass(frozen=True, slots=True)
class StateColours:
    """Colours of one state: text and shape, ground behind a badge, fill of bars."""

    text: str
    tint: str
    fill: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """All colours of one theme as ``#RRGGBB``."""

    dark: bool
    frame: str  # header bar, rail
    window: str  # page ground
    base: str  # panels, tables, inputs
    alt: str  # sample boxes, key caps
    hover: str
    sel: str  # selected row, rail item, segment
    border: str  # panel edge, button edge
    border2: str  # hairlines, table lines, bar track
    ctl: str  # edge of inputs, check boxes, key caps
    ctl2: str  # edge of the search field on frame
    grid: str  # chart grid lines
    text: str
    text2: str  # labels, secondary cells, icons
    text3: str  # row numbers, hints, placeholders
    accent: str  # links, active icon, focus
    btn: str  # primary button, checked box
    onaccent: str  # words on btn
    scroll: str  # scroll bar handle, grey part of the ring
    violet: str  # charts only
    teal: str  # charts only
    evidence: str  # ground of quoted evidence
    doubt: str  # ground near a doubt
    masked: str  # ground of masked data
    passed: StateColours
    review: StateColours
    failed: StateColours
    running: StateColours
    waiting: StateColours
    skipped: StateColours

    def state(self, name: str) -> StateColours:
        """Colours of passed, review, failed, running, waiting or skipped."""
        return cast("StateColours", getattr(self, name))

    def colour(self, name: str) -> QColor:
        """The colour of a token; a state's name gives its text colour, ``review.fill`` its part.

        Raises:
            AttributeError: There is no such token.
        """
        token, _, part = name.partition(".")
        value = getattr(self, token)
        if isinstance(value, StateColours):
            value = getattr(value, part or "text")
        return QColor(value)


LIGHT = Tokens(
    dark=False,
    frame="#E9ECF0",
    window="#F4F5F7",
    base="#FFFFFF",
    alt="#F8F9FB",
    hover="#EDF0F4",
    sel="#DFE8FB",
    border="#DADEE4",
    border2="#E7EAEE",
    ctl="#868F9C",
    ctl2="#7B8491",
    grid="#E9ECF0",
    text="#1B1F27",
    text2="#525B69",
    text3="#5F6876",
    accent="#2A5BD7",
    btn="#2A5BD7",
    onaccent="#FFFFFF",
    scroll="#C3CAD3",
    violet="#7048B6",
    teal="#0B7285",
    evidence="#D8E4FE",
    doubt="#FFE7B3",
    masked="#E2E6EB",
    passed=StateColours("#1A7440", "#E4F4EA", "#36935E"),
    review=StateColours("#8F5600", "#FCF0D9", "#B57A10"),
    failed=StateColours("#BE2A32", "#FCE8E8", "#D6545A"),
    running=StateColours("#2A5BD7", "#E4ECFC", "#4E7CE8"),
    waiting=StateColours("#5A6472", "#ECEFF3", "#E7EAEE"),
    skipped=StateColours("#5F6876", "#F1F3F6", "#E7EAEE"),
)

DARK = Tokens(
    dark=True,
    frame="#121417",
    window="#181A1E",
    base="#1F2227",
    alt="#23262C",
    hover="#2B2F36",
    sel="#263A63",
    border="#33383F",
    border2="#2A2E35",
    ctl="#727B88",
    ctl2="#727B88",
    grid="#2C3037",
    text="#E7E9ED",
    text2="#AEB5C0",
    text3="#9EA6B3",
    accent="#86ABFF",
    btn="#7099F2",
    onaccent="#0E1526",
    scroll="#4A515C",
    violet="#B79BF2",
    teal="#4FC3D4",
    evidence="#2A4173",
    doubt="#50400F",
    masked="#3A404A",
    passed=StateColours("#5CC689", "#1B3426", "#3F9C69"),
    review=StateColours("#E6AF4E", "#382D18", "#C28B2C"),
    failed=StateColours("#FF8F8C", "#402528", "#CF5A5C"),
    running=StateColours("#86ABFF", "#212E4C", "#5581E0"),
    waiting=StateColours("#A9B1BD", "#2C3037", "#2A2E35"),
    skipped=StateColours("#9EA6B3", "#282C32", "#2A2E35"),
)
