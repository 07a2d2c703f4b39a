"""What a template may take: bounds on the text, the steps and the time of one rendering.

In comes the sandbox; out goes one in which no operator, filter, method or loop makes more than a
prompt could hold. Each bound is looked at before the work is done, and breaking one is a
TooMuchError, which says what the template tried to make.
"""

from __future__ import annotations

import functools
import re
import string
import time
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any

import jinja2
import jinja2.compiler
import jinja2.nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from batchdesk.errors import Phrase

BUDGET = " budget"  # under this name a rendering's Budget is in the context; no template can say it
_TICK = " tick"
_MOST_CHARACTERS = 10_000_000
_MOST_ITEMS = 100_000  # of a list, tuple or other value that is not text
_MOST_NUMBERS = 10_000  # from ``range``, over one rendering
_MOST_BITS = 100_000  # of a whole number
_MOST_SECONDS = 2.0
_WIDE_FILTERS = frozenset({"batch", "center", "indent", "round", "slice", "tojson"})
_CONTAINERS = (list, tuple, dict, set, frozenset)
_PERCENT = re.compile(r"%(?:\([^)]*\))?[-#0 +]*(\*|\d+)?(?:\.(\*|\d+))?[hlL]?[a-zA-Z]")
_DIGITS = re.compile(r"\d+")
_REPEATED = (
    jinja2.nodes.For,
    jinja2.nodes.Macro,
    jinja2.nodes.CallBlock,
    jinja2.nodes.Block,
)


class TooMuchError(Exception):
    """A template makes more than a prompt can hold.

    Attributes:
        said: What it tried to make, to stand before a full stop.
    """

    def __init__(self, said: Phrase) -> None:
        self.said = said
        super().__init__(str(said))


class Budget:
    """What is left to one rendering.

    Args:
        clock: Seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + _MOST_SECONDS
        self._numbers = _MOST_NUMBERS
        self._ticks = 0

    def tick(self) -> None:
        """One round of a loop or one call of a macro; every eighth looks at the clock.

        Raises:
            TooMuchError: the time is over.
        """
        self._ticks += 1
        if not self._ticks & 7 and self._clock() > self._end:
            raise TooMuchError(Phrase("it takes longer than {limit} s", limit=f"{_MOST_SECONDS:g}"))

    def range(self, *ends: int) -> range:
        """The built-in range, of which one rendering has so many numbers.

        Raises:
            TooMuchError: they are used up.
        """
        numbers = range(*ends)
        # len() cannot count beyond the size of a pointer
        self._numbers -= len(numbers[: _MOST_NUMBERS + 1])
        if self._numbers < 0:
            raise TooMuchError(
                Phrase("`range` gives more than {most} numbers in all", most=f"{_MOST_NUMBERS:,}")
            )
        return numbers


class _Generator(jinja2.compiler.CodeGenerator):
    """Lets the sandbox join what ``~`` joins."""

    def visit_Concat(self, node: jinja2.nodes.Concat, frame: jinja2.compiler.Frame) -> None:  # noqa: N802 - Jinja2's name
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """The sandbox with bounds. Its renderings need a Budget under the name ``BUDGET``."""

    code_generator_class = _Generator
    intercepted_binops = frozenset({"*", "**", "%", "+"})

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        del self.globals["lipsum"]
        self.globals["range"] = _range
        for name, made in list(self.filters.items()):
            self.filters[name] = _bounded(name, made)
        self.filters[_TICK] = _tick

    @staticmethod
    def concat(pieces: Iterable[str]) -> str:
        """A text from its pieces, as long as they are not too many."""
        return _joined(pieces)

    def joined(self, parts: Iterable[Any]) -> str:
        """What ``~`` makes."""
        return _joined(_text(part) for part in parts)

    def call_binop(
        self, context: jinja2.runtime.Context, operator: str, left: Any, right: Any
    ) -> Any:
        """An operator whose outcome has a bound."""
        if operator == "%" and isinstance(left, str):
            _percent_fits(left, right)
        elif operator == "*":
            _product_fits(left, right)
        elif operator == "**":
            _power_fits(left, right)
        elif operator == "+" and hasattr(left, "__len__") and hasattr(right, "__len__"):
            _size_fits(left, len(left) + len(right))
        return super().call_binop(context, operator, left, right)

    def call(
        self, context: jinja2.runtime.Context, called: Any, /, *args: Any, **named: Any
    ) -> Any:
        """A call; the methods of texts and numbers are held to the bounds."""
        owner = getattr(called, "__self__", None)
        if isinstance(owner, str | bytes | int):
            _method_fits(owner, called.__name__, (*args, *named.values()))
        return super().call(context, called, *args, **named)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """``str.format`` with widths that have a bound."""
        wrapped = super().wrap_str_format(value)
        if wrapped is None:
            return None

        def bounded(*args: Any, **named: Any) -> str:
            _format_fits(value.__self__, [*_flat(args), *named.values()])
            return wrapped(*args, **named)

        return bounded

    def _generate(self, source: jinja2.nodes.Template, *args: Any, **named: Any) -> str:
        """Code in which every round of a loop and every call looks at the time."""
        node: Any  # each kind has a body; what they have in common has none
        for node in source.find_all(_REPEATED):
            tick = jinja2.nodes.Filter(
                jinja2.nodes.Const(None), _TICK, [], [], None, None, lineno=node.lineno
            )
            step = jinja2.nodes.ExprStmt(tick, lineno=node.lineno)
            node.body.insert(0, step.set_environment(self))
        return super()._generate(source, *args, **named)


def printable(value: Any) -> Any:
    """The value, if its text is not too long: lists within lists grow fast.

    Raises:
        TooMuchError: it is.
    """
    if isinstance(value, _CONTAINERS):
        _contents_fit(value)
    return value


def _contents_fit(value: Any) -> None:
    waiting: list[Any] = [value]
    seen = length = 0
    while waiting:
        one = waiting.pop()
        seen += 1
        if isinstance(one, str | bytes):
            length += len(one)
        elif isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list | tuple | set | frozenset):
            waiting += one
        if seen + len(waiting) > 2 * _MOST_ITEMS:
            raise _too_many_items()
        _characters_fit(length)


@jinja2.pass_context
def _range(context: jinja2.runtime.Context, *ends: int) -> range:
    budget: Budget = context.parent[BUDGET]
    return budget.range(*ends)


@jinja2.pass_context
def _tick(context: jinja2.runtime.Context, _value: None) -> None:
    budget: Budget = context.parent[BUDGET]
    budget.tick()


def _bounded(name: str, made: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that looks at what it is given first."""
    skipped = 1 if hasattr(made, "jinja_pass_arg") else 0  # Jinja2's own first argument

    @functools.wraps(made)
    def bounded(*args: Any, **named: Any) -> Any:
        value, *rest = args[skipped:] or (None,)
        _filter_fits(name, printable(value), (*rest, *named.values()))
        if name == "join" and not {"attribute"} & named.keys() and len(rest) <= 1:
            return _separated(value, *rest, **named)
        return made(*args, **named)

    return bounded


def _filter_fits(name: str, value: Any, rest: tuple[Any, ...]) -> None:
    for one in rest:
        printable(one)
        if name in _WIDE_FILTERS and isinstance(one, int):
            _width_fits(one)
    if name in {"replace", "format"} and value is not None:
        if name == "format":
            _percent_fits(str(value), rest)
        elif len(rest) > 1:
            _replaced_fits(str(value), str(rest[0]), str(rest[1]))
    elif name in {"indent", "wordwrap", "urlize", "center"} and rest:
        width = max((one if isinstance(one, int) else len(str(one)) for one in rest), default=0)
        if name == "indent":
            _characters_fit(len(str(value)) + (str(value).count("\n") + 1) * width)
        elif name == "center":
            _characters_fit(width)
        else:
            longest = max((len(one) for one in rest if isinstance(one, str)), default=0)
            _characters_fit(len(str(value)) * max(1, longest))


def _separated(value: Iterable[Any], d: str = "") -> str:
    """The filter ``join`` without an attribute."""
    between = str(d)
    pieces = chain.from_iterable((between, _text(one)) for one in value)
    next(pieces, None)
    return _joined(pieces)


def _method_fits(owner: Any, name: str, args: tuple[Any, ...]) -> None:
    for one in args:
        if isinstance(one, int) and not isinstance(one, bool):
            _characters_fit(one)
    if name == "replace" and len(args) > 1:
        _replaced_fits(owner, args[0], args[1])
    elif name == "join" and args and isinstance(args[0], list | tuple):
        _characters_fit(sum(len(one) + len(owner) for one in args[0]))
    elif name == "expandtabs":
        width = args[0] if args and isinstance(args[0], int) else 8
        _characters_fit(len(owner) + owner.count("\t" if isinstance(owner, str) else b"\t") * width)
    elif name == "translate" and args and isinstance(args[0], Mapping):
        longest = max((len(str(one)) for one in args[0].values()), default=1)
        _characters_fit(len(owner) * longest)


def _replaced_fits(text: Any, old: Any, new: Any) -> None:
    if len(text) + (len(text) + 1) * len(new) > _MOST_CHARACTERS:
        _characters_fit(len(text) + text.count(old) * (len(new) - len(old)))


def _percent_fits(form: str, args: Any) -> None:
    """``%`` with its widths; a ``*`` takes its width from the values."""
    values = list(args.values()) if isinstance(args, Mapping) else _flat([args])
    length, uses = len(form), 0
    for match in _PERCENT.finditer(form):
        uses += 1
        for width in match.groups():
            if width == "*":
                length += max((one for one in values if isinstance(one, int)), default=0)
            elif width:
                length += _number(width)
    _characters_fit(length + uses * max((len(_text(one)) for one in values), default=0))


def _format_fits(form: str, values: list[Any]) -> None:
    """``str.format`` with its widths; one within braces takes it from the values."""
    length, uses = len(form), 0
    for _, name, spec, _ in string.Formatter().parse(form):
        uses += name is not None
        length += sum(_number(digits) for digits in _DIGITS.findall(spec or ""))
        if "{" in (spec or ""):
            length += max((one for one in values if isinstance(one, int)), default=0)
            length += max((_number(one) for one in values if _is_digits(one)), default=0)
    _characters_fit(length + uses * max((len(_text(one)) for one in values), default=0))


def _is_digits(value: Any) -> bool:
    return isinstance(value, str) and _DIGITS.fullmatch(value) is not None


def _flat(values: Iterable[Any]) -> list[Any]:
    """The values, and those within them that are tuples or tables."""
    flat: list[Any] = []
    for one in values:
        if isinstance(one, Mapping):
            flat += one.values()
        elif isinstance(one, tuple):
            flat += one
        else:
            flat.append(one)
    return flat


def _number(digits: str) -> int:
    return int(digits) if len(digits) < 10 else _MOST_CHARACTERS + 1  # noqa: PLR2004 - over anyway


def _product_fits(left: Any, right: Any) -> None:
    if isinstance(left, int) and isinstance(right, int):
        _bits_fit(left.bit_length() + right.bit_length())
    for many, times in ((left, right), (right, left)):
        if isinstance(times, int) and hasattr(many, "__len__"):
            _size_fits(many, len(many) * max(0, times))


def _power_fits(left: Any, right: Any) -> None:
    if isinstance(left, int) and isinstance(right, int) and abs(left) > 1:
        _bits_fit(left.bit_length() * abs(right))


def _size_fits(kind: Any, size: int) -> None:
    if isinstance(kind, str | bytes):
        _characters_fit(size)
    elif size > _MOST_ITEMS:
        raise _too_many_items()


def _bits_fit(bits: int) -> None:
    if bits > _MOST_BITS:
        raise TooMuchError(Phrase("a number in it has too many digits"))


def _width_fits(width: int) -> None:
    if width > _MOST_ITEMS:
        raise TooMuchError(
            Phrase("a width or count in it is more than {most}", most=f"{_MOST_ITEMS:,}")
        )


def _characters_fit(count: int) -> None:
    if count > _MOST_CHARACTERS:
        raise TooMuchError(
            Phrase("it fills in more than {most} characters", most=f"{_MOST_CHARACTERS:,}")
        )


def _too_many_items() -> TooMuchError:
    return TooMuchError(Phrase("a list in it has more than {most} items", most=f"{_MOST_ITEMS:,}"))


def _joined(pieces: Iterable[str]) -> str:
    made: list[str] = []
    length = 0
    for piece in pieces:
        length += len(piece)
        if length > _MOST_CHARACTERS:
            _characters_fit(length)
        made.append(piece)
    return "".join(made)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(printable(value))
