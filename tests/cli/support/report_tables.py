"""The tables of a sweep's report: as the two files show them, and as they ought
to be."""

import re
import xml.etree.ElementTree as ElementTree

HTML = "{http://www.w3.org/1999/xhtml}"
NUMBER = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?")


def without_times(markdown):
    """The report's text but for its title, which is the folder's name, what
    runs took, and when it was made: equal for two sweeps that came to the
    same."""
    return re.sub(r"\| [\d.,]+ (s|min|h) \|$|^Made [\d:. -]+", "",
                  markdown.partition("\n")[2], flags=re.MULTILINE)


class Cell:
    """A text with a "#" for each number, and the numbers."""

    def __init__(self, text, *values, digits=1):
        self.text, self.values, self.digits = text, values, digits

    def check(self, shown):
        """What is wrong with what is shown; empty: nothing."""
        numbers = [float(one.replace(",", "")) for one in NUMBER.findall(shown)]
        limit = 0.5 * 10 ** -self.digits + 1e-9
        if (NUMBER.sub("#", shown) != self.text
                or len(numbers) != len(self.values)
                or any(abs(number - value) > limit
                       for number, value in zip(numbers, self.values))):
            return f"{shown!r} is not {self.text!r} of {self.values}"
        return ""


def share(value):
    return Cell("-") if value is None else Cell("# %", 100 * value)


def with_interval(found, unit):
    if found is None:
        return Cell("-")
    star = " *" if found[3] else ""
    return Cell(f"# {unit} (# to #{star})", *(100 * one for one in found[:3]))


def count(value):
    return Cell("#", value, digits=0)


def wrong_cells(expected, shown):
    """`expected`: rows of texts and `Cell`s; `shown`: rows of texts."""
    if len(expected) != len(shown):
        return [f"{len(shown)} rows in place of {len(expected)}"]
    out = []
    for number, (row, cells) in enumerate(zip(expected, shown), 1):
        if len(row) != len(cells):
            out.append(f"row {number} has {len(cells)} cells, not {len(row)}")
        for one, text in zip(row, cells):
            bad = (one.check(text) if isinstance(one, Cell)
                   else "" if one == text else f"{text!r} is not {one!r}")
            if bad:
                out.append(f"row {number}: {bad}")
    return out


def of_markdown(text):
    """Caption -> rows, without the head."""
    out, caption = {}, ""
    for line in re.sub(r"\\(.)", r"\1", text).splitlines():
        if line.endswith(":"):
            caption = line[:-1]
        elif line.startswith("|"):
            out.setdefault(caption, []).append(
                [one.strip().strip("*") if one.strip().startswith("**")
                 else one.strip() for one in line[1:-1].split("|")])
    return {caption: table[2:] for caption, table in out.items()}


def of_page(text):
    """The same of the page; a number's interval is in parentheses here too."""
    out = {}
    tree = ElementTree.fromstring(text.partition("\n")[2])
    for table in tree.iter(HTML + "table"):
        caption = "".join(table.find(HTML + "caption").itertext())
        if caption in out:
            raise ValueError(f"two tables {caption!r}")
        out[caption] = [[cell_text(cell) for cell in row]
                        for row in table.find(HTML + "tbody")]
    return out


def cell_text(cell):
    note = cell.find(HTML + "small")
    return (cell.text or "") + (f" ({note.text})" if note is not None else "")
