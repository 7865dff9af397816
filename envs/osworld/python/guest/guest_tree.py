"""The accessibility tree of all applications as OSWorld's XML.

AT-SPI asks the applications; one that hangs would hang the call, so this runs
in a process of its own, which is killed at its deadline.
"""

import re

BASE = "https://accessibility.ubuntu.example.org/ns/"
NAMESPACES = {"st": BASE + "state", "attr": BASE + "attributes",
              "cp": BASE + "component", "doc": BASE + "document",
              "docattr": BASE + "document/attributes", "txt": BASE + "text",
              "val": BASE + "value", "act": BASE + "action"}
MAX_DEPTH, MAX_WIDTH = 50, 1024
CALC_COLUMNS, CALC_ROWS = 16384, 1048576
SEARCHED_CELLS = 500  # of a sheet, before the first one that is showing
APPLICATION_PATIENCE_MS = 2000
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*\Z")


def _clean(text):
    return _NOT_XML.sub("", text or "")


def load():
    """Atspi, not yet connected to anything."""
    import gi
    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi
    import lxml.etree  # noqa: F401 loaded before the fork
    return Atspi


class Reader:
    def __init__(self):
        import lxml.etree
        self._xml, self._atspi = lxml.etree, load()
        self._atspi.init()
        self._atspi.set_timeout(APPLICATION_PATIENCE_MS, 5000)

    def tree(self):
        """The XML text; an application that does not answer is left out."""
        top = self._xml.Element("desktop-frame", nsmap=NAMESPACES)
        for application in self._children(self._atspi.get_desktop(0)):
            node = self._node(application, 1, "")
            if node is not None:
                top.append(node)
        return self._xml.tostring(top, encoding="unicode")

    def terminal(self):
        """Text of the focused terminal of an active window, or None."""
        for application in self._children(self._atspi.get_desktop(0)):
            if application.get_name() != "gnome-terminal-server":
                continue
            node = self._node(application, 1, "")
            found = [] if node is None else node.xpath(
                'self::application/frame[@st:active="true"]'
                '//terminal[@st:focused="true"]', namespaces=NAMESPACES)
            if len(found) == 1:
                return (found[0].text or "").rstrip()
        return None

    def _children(self, node):
        try:
            count = node.get_child_count()
        except self._failed:
            return
        for index in range(min(count, MAX_WIDTH)):
            try:
                child = node.get_child_at_index(index)
            except self._failed:
                continue
            if child is not None:
                yield child

    @property
    def _failed(self):
        from gi.repository import GLib
        return GLib.Error

    def _node(self, node, depth, inside):
        try:
            role = node.get_role_name().strip() or "unknown"
            name, attributes, text = self._facts(node)
        except self._failed:
            return None
        tag = role.replace(" ", "-")
        if not inside and role == "document spreadsheet":
            inside = "calc"
        element = self._xml.Element(tag if _NAME.match(tag) else "unknown",
                                    nsmap=NAMESPACES)
        element.set("name", _clean(name))
        for key, value in attributes:
            element.set(key, _clean(value))
        if text:
            element.text = _clean(text)
        if depth < MAX_DEPTH:
            children = (self._showing_cells(node)
                        if inside == "calc" and tag == "table"
                        else self._children(node))
            for child in children:
                made = self._node(child, depth + 1, inside)
                if made is not None:
                    element.append(made)
        return element

    def _facts(self, node):
        """Name, attributes and text of one node, in the official order."""
        atspi, out = self._atspi, []

        def add(space, key, value):
            if _NAME.match(key):
                out.append((f"{{{NAMESPACES[space]}}}{key}", value))

        states = [state.value_nick.replace("-", "_")
                  for state in node.get_state_set().get_states()]
        for state in states:
            add("st", state, "true")
        for key, value in (node.get_attributes() or {}).items():
            add("attr", key, value)
        if "visible" in states and "showing" in states \
                and node.get_component_iface() is not None:
            box = atspi.Component.get_extents(node, atspi.CoordType.SCREEN)
            add("cp", "screencoord", str((box.x, box.y)))
            add("cp", "size", str((box.width, box.height)))
        text = ""
        if node.get_text_iface() is not None:
            count = atspi.Text.get_character_count(node)
            text = atspi.Text.get_text(node, 0, count)
            text = text.replace("\ufffc", "").replace("\ufffd", "")
        if node.get_image_iface() is not None:
            out.append(("image", "true"))
        if node.get_selection_iface() is not None:
            out.append(("selection", "true"))
        if node.get_value_iface() is not None:
            for key, ask in (("value", atspi.Value.get_current_value),
                             ("min", atspi.Value.get_minimum_value),
                             ("max", atspi.Value.get_maximum_value),
                             ("step", atspi.Value.get_minimum_increment)):
                add("val", key, str(ask(node)))
        if node.get_action_iface() is not None:
            for index in range(atspi.Action.get_n_actions(node)):
                named = atspi.Action.get_action_name(node, index) \
                    .replace(" ", "-")
                add("act", named + "_desc",
                    atspi.Action.get_action_description(node, index))
                add("act", named + "_kb",
                    atspi.Action.get_key_binding(node, index))
        return node.get_name(), out, text

    def _showing_cells(self, table):
        """Of a sheet, which has millions of cells, those on the screen."""
        showing = self._atspi.StateType.SHOWING
        first_column = None
        for row in range(CALC_ROWS):
            columns = range(first_column or 0, CALC_COLUMNS)
            shown_here = False
            for column in columns:
                cell = table.get_child_at_index(row * CALC_COLUMNS + column)
                if cell is not None and cell.get_state_set().contains(showing):
                    if first_column is None:
                        first_column = column
                    shown_here = True
                    yield cell
                elif shown_here or first_column is not None \
                        or column >= SEARCHED_CELLS:
                    break
            if first_column is not None and not shown_here:
                return
            if first_column is None and row >= SEARCHED_CELLS:
                return
