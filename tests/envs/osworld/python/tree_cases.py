"""Cases for metrics over accessibility trees and other XML, over databases and
over what getters read from the browser."""

import sqlite3
import tempfile
import xml.etree.ElementTree as ElementTree

from case_inputs import PATTERNS, as_file, maybe_none, mutated, pick

SPACE = "https://accessibility.ubuntu.example.org/ns/"
OFFICE = "http://openoffice.org/2001/registry"
TAGS = ["application", "tool-bar", "label", "page-tab", "entry",
        "document-frame"]
NAMES = ["To", "Thunderbird", "Slides View", "fox@x.edu", "a b", "", "password",
         "Address and search bar", "Google Chrome"]
CLASSES = ["address-pill", "pill-label", "x y", ""]
ADDRESSES = ["scholar.google.com/citations?user=a&hl=en#top", "a.b/c;p?q=1",
             "chrome://settings/x?y", "", "a.b/mens-clothing/shirts/"
             "Sleeve_length,Price_discount_range/short-sleeve,"
             "50_PERCENT_ off & more|30_PERCENT_ off & more",
             "a.b/s%2C/Men_regular_size_t,Product_department/L,Shirts/",
             "x?list=1%2C2,3&list=4&empty=&a+b=%C3%BCx%FF&n=%e9é"]
ElementTree.register_namespace("attr", SPACE + "attributes")


def tree(rng, bar=None):
    root = ElementTree.Element("desktop-frame", {"name": "main"})
    open_ones = [root]
    for _ in range(rng.randint(0, 14)):
        above = rng.choice(open_ones[-4:])
        one = ElementTree.SubElement(above, rng.choice(TAGS))
        for key, values in (("name", NAMES),
                            ("{%sattributes}class" % SPACE, CLASSES),
                            ("{%sattributes}id" % SPACE, ["m", "tabs"])):
            if rng.random() < 0.6:
                one.set(key, rng.choice(values))
        if rng.random() < 0.4:
            one.text = rng.choice(NAMES)
        open_ones.append(one)
    for address in bar or []:
        chrome = ElementTree.SubElement(root, "application",
                                        {"name": "Google Chrome"})
        ElementTree.SubElement(chrome, "entry", {
            "name": "Address and search bar"}).text = address
    out = ElementTree.tostring(root, encoding="unicode")
    return out if rng.random() < 0.95 else out[:rng.randrange(len(out))]


def css(rng):
    def compound():
        parts = [rng.choice(TAGS + ["*", "label", "application"])]
        for _ in range(rng.choice([0, 1, 1, 2])):
            name, values = rng.choice([("name", NAMES),
                                       ("attr|class", CLASSES),
                                       ("attr|id", ["m", "tabs"])])
            mark = rng.choice(["=", "=", "*=", "^=", "$=", ""])
            found = rng.choice(values)
            parts.append("[%s%s]" % (name, mark and '%s"%s"' % (
                mark, found[:rng.randint(1, 9)])))
        if len(parts) > 1 and rng.random() < 0.2:
            parts[0] = ""
        return "".join(parts)
    out = compound()
    for _ in range(rng.choice([0, 0, 1, 2])):
        out += rng.choice([" ", ">", " > ", "~", "+", " + "]) + compound()
    return out


def xpath(rng):
    def test():
        what = rng.choice(["@name", "@attr:class", "text()"])
        found = rng.choice(NAMES + CLASSES)[:rng.randint(0, 9)]
        if what == "text()" or rng.random() < 0.5:
            return "%s(%s, '%s')" % (rng.choice(["contains", "starts-with"]),
                                     what, found)
        return what + rng.choice(["", "='%s'" % found, " != '%s'" % found])

    def predicate():
        shape = rng.choice(["%s", "%s", "%s or %s", "%s and %s or %s",
                            "not(%s)", "(%s or %s) and %s"])
        return "[" + shape % tuple(test()
                                   for _ in range(shape.count("%s"))) + "]"
    return "".join(
        rng.choice(["//", "//", "/"]) + rng.choice(TAGS + ["*", "*"])
        + "".join(predicate() for _ in range(rng.choice([0, 1, 1])))
        for _ in range(rng.randint(1, 3)))


def tree_case(rng):
    def rule():
        one = rng.choice([{"xpath": xpath(rng)},
                          {"selectors": [css(rng) for _ in range(
                              rng.randint(1, 2))]}])
        if rng.random() < 0.2:
            one.update(text=rng.choice(NAMES + [None]), exact=True)
        return one
    return (maybe_none(rng, {"data": tree(rng)}),
            {"data": [rule() for _ in range(rng.choice([1, 1, 1, 2]))]}, {})


def panel_case(rng):
    return maybe_none(rng, {"data": tree(rng)}), None, {}


def office_case(path, name, values, rules):
    def make(rng):
        root = ElementTree.Element("{%s}items" % OFFICE)
        for _ in range(rng.randint(0, 4)):
            item = ElementTree.SubElement(root, "item", {
                "{%s}path" % OFFICE: rng.choice([path, path, "/other"])})
            for _ in range(rng.randint(0, 2)):
                prop = ElementTree.SubElement(item, "prop", {
                    "{%s}name" % OFFICE: rng.choice([name, name, "Other"])})
                for _ in range(rng.choice([0, 1, 1, 1, 2])):
                    ElementTree.SubElement(prop, "value").text = rng.choice(
                        values)
        out = ElementTree.tostring(root, encoding="unicode")
        if rng.random() < 0.05:
            out = out[:rng.randrange(len(out))]
        return (maybe_none(rng, as_file(out, rng, broken=False)),
                rules and {"data": rules(rng)}, {})
    return make


def playing_case(rng):
    place = "https://a.com/v/file.m3u8"
    root = ElementTree.Element("root")
    if rng.random() < 0.95:
        ElementTree.SubElement(root, "state").text = rng.choice(
            ["playing", "playing", "playing", "paused", None])
    information = ElementTree.SubElement(root, "information")
    for _ in range(rng.randint(0, 3)):
        category = ElementTree.SubElement(information, "category", {
            "name": rng.choice(["meta", "meta", "meta", "Stream 0"])})
        for _ in range(rng.randint(0, 3)):
            ElementTree.SubElement(category, "info", {"name": rng.choice(
                ["filename", "title", "uri", "url", "location", "name",
                 "Codec"])}).text = rng.choice(
                     ["a.mp4", "/x/a.mp4", "file.m3u8", place, None,
                      "https://a.com/w/v/file.m3u8", "https://b.com/v"])
    out = ElementTree.tostring(root, encoding="unicode")
    rules = rng.choice([{"type": "file_name", "file_name": rng.choice(
        ["a.mp4", "x/a.mp4"])}, {"type": "url", "url": place},
        {"type": "dir"}, {"type": "url"}])
    return (as_file(out if rng.random() < 0.95 else out[:-4], rng),
            {"data": rules}, {})


def pattern_case(rng):
    found = "https://" + rng.choice(ADDRESSES)
    result = rng.choice([found, found, {"url": found}, {"x": 1}, ["a"], ""])
    patterns = pick(rng, PATTERNS + [r"\?user=", r"^https://", "a\\.b", "c;p"],
                    0, 2)
    return maybe_none(rng, {"data": result}), {"data": {
        "expected": patterns}}, {}


def approximate_case(rng):
    one = rng.choice(["", "https://", "HTTP:", "chrome:"]) + rng.choice(
        ADDRESSES)
    other = mutated(rng, one) if rng.random() < 0.4 else rng.choice(
        [one, one + "?more=1", one.split("?")[0]])
    result = rng.choice([one, one, {"url": one}])
    return maybe_none(rng, {"data": result}), {"data": {
        "type": rng.choice(["url", "url", "url", "x"]),
        "url": other.replace("[", "").replace("]", "")}}, {}


def history_case(rng):
    visits = [[rng.choice(["https://youtube.com/x", "http://a.b", None]),
               "title", 1] for _ in range(rng.randint(0, 4))]
    return maybe_none(rng, {"data": visits}), {"data": {
        "type": rng.choice(["keywords", "keywords", "x"]),
        "keywords": pick(rng, ["youtube", "a.b", "zzz"], 0, 2)}}, {}


def extensions_case(rng):
    names = ["Zoom Chrome Extension", "Zoom for Google Chrome", "Momentum",
             "React"]
    return maybe_none(rng, {"data": rng.choice([pick(rng, names), "Google"])}
                      ), {"data": {"expected": pick(rng, names, 0, 2)}}, {}


def shortcut_case(rng):
    def content():
        return "".join("%s=%s\n" % (rng.choice(["Name", "Exec", "Icon"]),
                                    rng.choice(["Play 2048", "play", "chrome x",
                                                "", "Play 2048 Now"]))
                       for _ in range(rng.randint(0, 4)))
    kind = rng.choice(["name", "exec", "url"])
    return {"data": {"%d.desktop" % i: mutated(rng, content())
                     for i in range(rng.randint(0, 3))}}, {"data": {
                         "type": kind, kind: rng.choice(
                             ["Play 2048", "chrome x", "chrome"])}}, {}


def database(rng, statements):
    """The bytes of a database after the statements."""
    with tempfile.NamedTemporaryFile() as file:
        connection = sqlite3.connect(file.name)
        if rng.random() < 0.3:
            connection.execute("PRAGMA journal_mode = WAL")
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()
        out = bytearray(file.read())
    for _ in range(rng.choice([0, 0, 0, 3])):
        if out:
            out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def sqlite_case(rng):
    rows = [rng.choice(["1", "0", "NULL", "'2.5'", "'x'", "0.25", "''"])
            for _ in range(rng.randint(0, 3))]
    content = database(rng, ["CREATE TABLE t (v)"] + [
        "INSERT INTO t VALUES (%s)" % row for row in rows])
    query = rng.choice(["SELECT v FROM t", "SELECT COUNT(*) FROM t", "SELECT 1",
                        "SELECT v = 1 FROM t ORDER BY v", "nonsense",
                        "SELECT COALESCE((SELECT 1 WHERE 0), 0) = 0;"])
    return maybe_none(rng, {"file": content.hex()}), {"data": {
        "sql": query}}, {}


MAKERS = {
    "check_left_panel": panel_case,
    "check_presenter_console_disable": office_case(
        "/org.openoffice.Office.Impress/Misc/Start", "EnablePresenterScreen",
        ["false", "False", "true", None], None),
    "check_auto_saving_time": office_case(
        "/org.openoffice.Office.Common/Save/Document", "AutoSaveTimeIntervall",
        ["3", " 3 ", "+3", "x", "10", None],
        lambda rng: {"minutes": rng.choice([3, 3.0, 10, "3"])}),
    "find_default_font": office_case(
        "/org.openoffice.Office.Writer/DefaultFont", "Standard",
        ["Times New Roman", "Arial", None],
        lambda rng: {"font_name": "Times New Roman"}),
    "is_vlc_playing": playing_case,
    "is_expected_url_pattern_match": pattern_case,
    "is_expected_active_tab_approximate": approximate_case,
    "check_history_deleted": history_case,
    "is_expected_installed_extensions": extensions_case,
    "is_shortcut_on_desktop": shortcut_case,
    "run_sqlite3": sqlite_case,
}
# These need lxml and cssselect.
SELECTING = {"check_accessibility_tree": tree_case}
