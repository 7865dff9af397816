"""The screen as an image. Every call has an X connection of its own: one that
is shared wedges when calls overlap, and none is left when a call fails."""

import io
import os

COMPRESSION = 1  # of zlib: a screen is mostly flat, and time matters more


def _open():
    from Xlib import display
    return display.Display(os.environ.get("DISPLAY", ":0"))


def take_image(cursor=True):
    """A PIL image of the whole screen (RGB), with the cursor if asked."""
    from PIL import Image
    from Xlib import X
    connection = _open()
    try:
        screen = connection.screen()
        width, height = screen.width_in_pixels, screen.height_in_pixels
        raw = screen.root.get_image(0, 0, width, height, X.ZPixmap,
                                    0xFFFFFFFF)
        image = Image.frombuffer("RGB", (width, height), raw.data, "raw",
                                 "BGRX", 0, 1)
        if cursor:
            image = image.copy()
            _paste_cursor(connection, image)
        return image
    finally:
        connection.close()


def _paste_cursor(connection, image):
    from PIL import Image
    if connection.query_extension("XFIXES") is None:
        return
    connection.xfixes_query_version()
    shown = connection.xfixes_get_cursor_image(connection.screen().root)
    if not shown.width or not shown.height:
        return
    pixels = b"".join(int(one & 0xFFFFFFFF).to_bytes(4, "little")
                      for one in shown.cursor_image)
    picture = Image.frombuffer("RGBA", (shown.width, shown.height), pixels,
                               "raw", "BGRA", 0, 1)
    image.paste(picture, (shown.x - shown.xhot, shown.y - shown.yhot),
                picture)


def take_png():
    out = io.BytesIO()
    take_image().save(out, "PNG", compress_level=COMPRESSION)
    return out.getvalue()


def screen_size():
    connection = _open()
    try:
        screen = connection.screen()
        return screen.width_in_pixels, screen.height_in_pixels
    finally:
        connection.close()


def cursor_position():
    connection = _open()
    try:
        told = connection.screen().root.query_pointer()
        return told.root_x, told.root_y
    finally:
        connection.close()


def window_size(class_name):
    """(width, height) of the first window of this class, or None."""
    from Xlib import X, error
    connection = _open()
    try:
        listed = connection.screen().root.get_full_property(
            connection.intern_atom("_NET_CLIENT_LIST"), X.AnyPropertyType)
        for number in (listed.value if listed else []):
            window = connection.create_resource_object("window", number)
            try:
                names = window.get_wm_class() or ()
                if class_name.lower() in [one.lower() for one in names]:
                    shape = window.get_geometry()
                    return shape.width, shape.height
            except error.XError:
                continue  # closed meanwhile
        return None
    finally:
        connection.close()
