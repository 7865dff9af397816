"""A subset of PyAutoGUI for Linux, by python-xlib's XTEST.

Not PyAutoGUI itself, which Debian does not have: what computer-use agents and
OSWorld's tasks call of it, with its names, defaults, pauses and rounding. Left
out: message boxes, finding images, windows. One X connection per process.
Known difference: '<' and '>' are typed as such (PyAutoGUI's X11 backend
types '>' for both); keys that the keyboard lacks are passed over, as there.
"""

import collections
import contextlib
import os
import time

import pyautogui_keys as _keys
from pyautogui_tweens import *  # noqa: F401,F403 easing functions by name
from pyautogui_tweens import linear

FAILSAFE = True
PAUSE = 0.1             # s, after every call
DARWIN_CATCH_UP_TIME = 0.01
MINIMUM_DURATION = 0.1  # s; shorter moves are jumps
MINIMUM_SLEEP = 0.05    # s, between the steps of a move
LEFT, MIDDLE, RIGHT, PRIMARY, SECONDARY = ("left", "middle", "right",
                                           "primary", "secondary")
KEY_NAMES = KEYBOARD_KEYS = _keys.NAMES
Point = collections.namedtuple("Point", "x y")
Size = collections.namedtuple("Size", "width height")

_BUTTONS = {LEFT: 1, PRIMARY: 1, MIDDLE: 2, RIGHT: 3, SECONDARY: 3,
            1: 1, 2: 2, 3: 3}
_WHEEL = {"up": 4, "down": 5, "left": 6, "right": 7}


class PyAutoGUIException(Exception):
    pass


class FailSafeException(PyAutoGUIException):
    pass


class _Connection:
    """The one connection of this process, opened by the first call."""

    def __init__(self):
        from Xlib import X, display
        from Xlib.ext import xtest
        self._x, self._fake = X, xtest.fake_input
        self.display = display.Display(os.environ.get("DISPLAY", ":0"))
        self.root = self.display.screen().root
        self.codes = _keys.key_codes(self.display)

    def position(self):
        told = self.root.query_pointer()
        return Point(told.root_x, told.root_y)

    def size(self):
        screen = self.display.screen()
        return Size(screen.width_in_pixels, screen.height_in_pixels)

    def move(self, x, y):
        self._fake(self.display, self._x.MotionNotify, x=x, y=y)
        self.display.sync()

    def button(self, number, down):
        self._fake(self.display, self._x.ButtonPress if down
                   else self._x.ButtonRelease, number)
        self.display.sync()

    def key(self, code, down):
        self._fake(self.display, self._x.KeyPress if down
                   else self._x.KeyRelease, code)
        self.display.sync()


_only = []


def _connection():
    if not _only:
        _only.append(_Connection())
    return _only[0]


def failSafeCheck():
    if FAILSAFE and tuple(position()) in FAILSAFE_POINTS:
        raise FailSafeException(
            "PyAutoGUI fail-safe triggered from mouse moving to a corner of "
            "the screen. To disable this fail-safe, set pyautogui.FAILSAFE to "
            "False.")


FAILSAFE_POINTS = [(0, 0)]


def _called(function):
    """What surrounds every call: the fail-safe before, the pause after."""
    def wrapped(*words, _pause=True, logScreenshot=None, **named):
        failSafeCheck()
        done = function(*words, **named)
        if _pause and PAUSE:
            time.sleep(PAUSE)
        return done
    wrapped.__name__ = function.__name__
    wrapped.__doc__ = function.__doc__
    return wrapped


# Where the mouse is, and the screen.


def position(x=None, y=None):
    at = _connection().position()
    return Point(at.x if x is None else int(x), at.y if y is None else int(y))


def size():
    return _connection().size()


resolution = size


def onScreen(x, y=None):
    x, y = _pair(x, y)
    width, height = size()
    return 0 <= x < width and 0 <= y < height


def screenshot(imageFilename=None, region=None):
    from guest_screen import take_image
    image = take_image(cursor=False)
    if region is not None:
        left, top, width, height = (int(one) for one in region)
        image = image.crop((left, top, left + width, top + height))
    if imageFilename is not None:
        image.save(imageFilename)
    return image


def pixel(x, y):
    return screenshot().getpixel((int(x), int(y)))


def _pair(x, y):
    """Coordinates as they are given: two numbers, one pair, or none."""
    if isinstance(x, str) or isinstance(y, str):
        raise PyAutoGUIException(
            "finding images is not part of this subset of PyAutoGUI")
    if isinstance(x, collections.abc.Sequence):
        if len(x) == 4:  # a box: its centre
            return int(x[0] + x[2] / 2), int(x[1] + x[3] / 2)
        x, y = x
    at = position()
    return (at.x if x is None else int(x)), (at.y if y is None else int(y))


def _glide(x, y, duration, tween):
    if duration <= MINIMUM_DURATION:
        _connection().move(x, y)
        return
    start = position()
    steps = max(size())
    if duration / steps < MINIMUM_SLEEP:
        steps = max(1, int(duration / MINIMUM_SLEEP))
    for step in range(1, steps + 1):
        part = tween(step / steps)
        _connection().move(round(start.x + (x - start.x) * part),
                           round(start.y + (y - start.y) * part))
        time.sleep(duration / steps)
    _connection().move(x, y)


def _button(name):
    known = name.lower() if isinstance(name, str) else name
    if known not in _BUTTONS:
        raise PyAutoGUIException(
            "button argument must be one of ('left', 'middle', 'right', "
            f"'primary', 'secondary', 1, 2, 3), not {name!r}")
    return _BUTTONS[known]


@_called
def moveTo(x=None, y=None, duration=0.0, tween=linear):
    _glide(*_pair(x, y), duration, tween)


@_called
def moveRel(xOffset=None, yOffset=None, duration=0.0, tween=linear):
    at = position()
    x, y = (xOffset if isinstance(xOffset, collections.abc.Sequence)
            else (xOffset or 0, yOffset or 0))
    _glide(at.x + int(x), at.y + int(y), duration, tween)


move = moveRel


def _clicked(x, y, clicks, interval, button, duration, tween):
    number = _button(button)
    x, y = _pair(x, y)
    _glide(x, y, duration, tween)
    for _ in range(int(clicks)):
        _connection().button(number, True)
        _connection().button(number, False)
        time.sleep(interval)


@_called
def click(x=None, y=None, clicks=1, interval=0.0, button=PRIMARY, duration=0.0,
          tween=linear):
    _clicked(x, y, clicks, interval, button, duration, tween)


@_called
def leftClick(x=None, y=None, interval=0.0, duration=0.0, tween=linear):
    _clicked(x, y, 1, interval, LEFT, duration, tween)


@_called
def rightClick(x=None, y=None, interval=0.0, duration=0.0, tween=linear):
    _clicked(x, y, 1, interval, RIGHT, duration, tween)


@_called
def middleClick(x=None, y=None, interval=0.0, duration=0.0, tween=linear):
    _clicked(x, y, 1, interval, MIDDLE, duration, tween)


@_called
def doubleClick(x=None, y=None, interval=0.0, button=LEFT, duration=0.0,
                tween=linear):
    _clicked(x, y, 2, interval, button, duration, tween)


@_called
def tripleClick(x=None, y=None, interval=0.0, button=LEFT, duration=0.0,
                tween=linear):
    _clicked(x, y, 3, interval, button, duration, tween)


@_called
def mouseDown(x=None, y=None, button=PRIMARY, duration=0.0, tween=linear):
    number = _button(button)
    _glide(*_pair(x, y), duration, tween)
    _connection().button(number, True)


@_called
def mouseUp(x=None, y=None, button=PRIMARY, duration=0.0, tween=linear):
    number = _button(button)
    _glide(*_pair(x, y), duration, tween)
    _connection().button(number, False)


def _dragged(x, y, duration, tween, button, holds):
    number = _button(button)
    if holds:
        _connection().button(number, True)
    _glide(x, y, duration, tween)
    if holds:
        _connection().button(number, False)


@_called
def dragTo(x=None, y=None, duration=0.0, tween=linear, button=PRIMARY,
           mouseDownUp=True):
    _dragged(*_pair(x, y), duration, tween, button, mouseDownUp)


@_called
def dragRel(xOffset=0, yOffset=0, duration=0.0, tween=linear, button=PRIMARY,
            mouseDownUp=True):
    at = position()
    x, y = (xOffset if isinstance(xOffset, collections.abc.Sequence)
            else (xOffset or 0, yOffset or 0))
    _dragged(at.x + int(x), at.y + int(y), duration, tween, button,
             mouseDownUp)


drag = dragRel


def _turn_wheel(clicks, x, y, forth, back):
    if x is not None or y is not None:
        _connection().move(*_pair(x, y))
    button = _WHEEL[forth if clicks >= 0 else back]
    for _ in range(abs(int(clicks))):
        _connection().button(button, True)
        _connection().button(button, False)


@_called
def scroll(clicks, x=None, y=None):
    _turn_wheel(clicks, x, y, "up", "down")


@_called
def hscroll(clicks, x=None, y=None):
    _turn_wheel(clicks, x, y, "right", "left")


vscroll = scroll


# Keys.


def isValidKey(key):
    return _connection().codes.get(key) is not None


def _named(key):
    return key.lower() if len(key) > 1 else key


def _press(key, down):
    code = _connection().codes.get(key)
    if code is None:
        return  # as PyAutoGUI: not on this keyboard
    number, shifted = code
    shift, _ = _connection().codes["shift"]
    if shifted:
        _connection().key(shift, True)
    _connection().key(number, down)
    if shifted:
        _connection().key(shift, False)


@_called
def keyDown(key):
    _press(_named(key), True)


@_called
def keyUp(key):
    _press(_named(key), False)


def _keys_of(keys):
    if isinstance(keys, str):
        return [_named(keys)]
    return [_named(one) for one in keys]


@_called
def press(keys, presses=1, interval=0.0):
    for _ in range(int(presses)):
        for key in _keys_of(keys):
            _press(key, True)
            _press(key, False)
        time.sleep(interval)


@contextlib.contextmanager
def hold(keys, logScreenshot=None, _pause=True):
    held = _keys_of(keys)
    for key in held:
        _press(key, True)
    try:
        yield
    finally:
        for key in held:
            _press(key, False)


@_called
def typewrite(message, interval=0.0):
    for key in message:
        key = _named(key)
        _press(key, True)
        _press(key, False)
        time.sleep(interval)
        failSafeCheck()


write = typewrite


@_called
def hotkey(*keys, interval=0.0):
    if len(keys) == 1 and isinstance(keys[0], collections.abc.Sequence) \
            and not isinstance(keys[0], str):
        keys = tuple(keys[0])
    for key in keys:
        _press(_named(key), True)
        time.sleep(interval)
    for key in reversed(keys):
        _press(_named(key), False)
        time.sleep(interval)


def sleep(seconds):
    time.sleep(seconds)


def countdown(seconds):
    for left in range(int(seconds), 0, -1):
        print(left, end=" ", flush=True)
        time.sleep(1)
    print()
