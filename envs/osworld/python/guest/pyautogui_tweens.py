"""Easing functions by PyAutoGUI's names: part of the time (0..1) -> part of
the way. After R. Penner's equations."""

import math

__all__ = ["linear"]


def linear(part):
    return part


def _power(exponent):
    return lambda part: part ** exponent


def _elastic(part):
    if part in (0, 1):
        return part
    return -(2 ** (10 * (part - 1))) * math.sin(
        (part - 1 - 0.3 / 4) * 2 * math.pi / 0.3)


def _bounce_out(part):
    for limit, shift, height in ((1 / 2.75, 0, 0), (2 / 2.75, 1.5, 0.75),
                                 (2.5 / 2.75, 2.25, 0.9375),
                                 (math.inf, 2.625, 0.984375)):
        if part < limit:
            part -= shift / 2.75
            return 7.5625 * part * part + height
    return 1.0


_IN = {
    "Quad": _power(2), "Cubic": _power(3), "Quart": _power(4),
    "Quint": _power(5),
    "Sine": lambda part: 1 - math.cos(part * math.pi / 2),
    "Expo": lambda part: 0.0 if part == 0 else 2 ** (10 * (part - 1)),
    "Circ": lambda part: 1 - math.sqrt(max(0.0, 1 - part * part)),
    "Back": lambda part: part * part * (2.70158 * part - 1.70158),
    "Elastic": _elastic,
    "Bounce": lambda part: 1 - _bounce_out(1 - part),
}


def _out(ease):
    return lambda part: 1 - ease(1 - part)


def _in_out(ease):
    return lambda part: (ease(2 * part) / 2 if part < 0.5
                         else 1 - ease(2 - 2 * part) / 2)


for _name, _ease in _IN.items():
    for _kind, _made in (("easeIn", _ease), ("easeOut", _out(_ease)),
                         ("easeInOut", _in_out(_ease))):
        globals()[_kind + _name] = _made
        __all__.append(_kind + _name)
