"""The keys by PyAutoGUI's names, and where this keyboard has them."""

# Names -> keysym names of X11. Single characters are their own names.
_NAMED = {
    "alt": "Alt_L", "altleft": "Alt_L", "altright": "Alt_R",
    "apps": "Menu", "backspace": "BackSpace", "\b": "BackSpace",
    "capslock": "Caps_Lock", "ctrl": "Control_L", "ctrlleft": "Control_L",
    "ctrlright": "Control_R", "control": "Control_L", "delete": "Delete",
    "del": "Delete", "down": "Down", "end": "End", "enter": "Return",
    "return": "Return", "\n": "Return", "\r": "Return", "esc": "Escape",
    "escape": "Escape", "help": "Help", "home": "Home", "insert": "Insert",
    "left": "Left", "menu": "Menu", "multiply": "KP_Multiply",
    "add": "KP_Add", "subtract": "KP_Subtract", "divide": "KP_Divide",
    "decimal": "KP_Decimal", "numlock": "Num_Lock", "pagedown": "Next",
    "pgdn": "Next", "pageup": "Prior", "pgup": "Prior", "pause": "Pause",
    "print": "Print", "printscreen": "Print", "prntscrn": "Print",
    "prtsc": "Print", "prtscr": "Print", "right": "Right",
    "scrolllock": "Scroll_Lock", "select": "Select", "shift": "Shift_L",
    "shiftleft": "Shift_L", "shiftright": "Shift_R", "space": "space",
    " ": "space", "tab": "Tab", "\t": "Tab", "up": "Up", "win": "Super_L",
    "winleft": "Super_L", "winright": "Super_R", "super": "Super_L",
    "meta": "Super_L", "command": "Super_L", "option": "Alt_L",
    **{f"f{number}": f"F{number}" for number in range(1, 25)},
    **{f"num{number}": f"KP_{number}" for number in range(10)},
}
_PRINTED = [chr(code) for code in range(0x20, 0x7F)]
NAMES = sorted(set(_PRINTED) | set(_NAMED))


def key_codes(display):
    """Name -> (key code, whether with shift), of the keys that there are."""
    from Xlib import XK
    XK.load_keysym_group("xkb")
    first, last = (display.display.info.min_keycode,
                   display.display.info.max_keycode)
    rows = display.get_keyboard_mapping(first, last - first + 1)
    found = {}
    # A key's own symbol before its shifted one, and the main key before
    # others: '<' has one of its own on the 102nd key, which few keyboards
    # have and which programs treat as '>' when it is shifted.
    for level in (0, 1):
        for row, symbols in enumerate(rows):
            if level < len(symbols) and symbols[level]:
                found.setdefault(symbols[level], []).append(
                    (first + row, level == 1))
    codes = {}
    for character in _PRINTED:
        places = found.get(ord(character))
        if places:
            codes[character] = _best(places)
    for character in (chr(code) for code in range(0xA0, 0x100)):
        places = found.get(ord(character))
        if places:
            codes[character] = places[0]
    for name, symbol in _NAMED.items():
        places = found.get(XK.string_to_keysym(symbol))
        if places:
            codes[name] = (places[0][0], False)
    return codes


EXTRA_KEY = 94  # of 102 keys: '<' and '>' beside the left shift


def _best(places):
    usual = [place for place in places if place[0] != EXTRA_KEY]
    return (usual or places)[0]
