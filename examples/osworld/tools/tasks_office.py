"""LibreOffice: Calc, Writer, Impress."""

import fixtures
from task import (Task, act, download, keys, open_file, prints,
                  prints_exactly, quiet, typed, until, window)

SPLITS = ("train", "eval", "test")
# Prints facts of an Open Document file with Python's own modules.
READ = ("python3 -c \"import zipfile,re; t=zipfile.ZipFile('/home/user/{place}')"
        ".read('content.xml').decode(); {code}\"")


def saved(place):
    """The program has written the file since the last step."""
    return until(f"test /home/user/{place} -nt /tmp/.before")


def save(place):
    return [until("touch /tmp/.before"), act("time.sleep(0.2)"),
            keys("ctrl", "s"), saved(place)]


def opened(place, program):
    """A window has its title before it takes keys."""
    name = place.rsplit("/", 1)[-1]
    return [window(f"{name} — LibreOffice {program}"),
            quiet("soffice.bin", "openbox"),
            act("time.sleep(1); pyautogui.press('esc')")]


def totals():
    for split, (name, column, title, values) in zip(SPLITS, (
            ("costs", "B", "Cost", [120, 80, 45, 310, 99]),
            ("hours", "C", "Hours", [7, 8, 6, 9, 4, 5, 8]),
            ("stock", "B", "Pieces", [15, 230, 41, 8, 77, 19]))):
        place = f"Documents/{name}.ods"
        width = ord(column) - ord("A")
        rows = [["Item", "Note", "Hours"][:width] + [title]] + [
            [f"item {n}", f"note {n}", ""][:width] + [value]
            for n, value in enumerate(values, 1)]
        row = len(rows) + 1
        yield Task(
            "libreoffice_calc", f"total-{name}", split,
            f"Put the total of the column \"{title}\" as a formula into the "
            f"cell right below its last value ({column}{row}), and save the "
            "file in its own format.",
            prints(READ.format(place=place, code=
                               "print(re.findall(r'of:=SUM[^>]*value=.(\\d+)',"
                               "t.replace(chr(34),chr(39))))"),
                   [f"'{sum(values)}'"]),
            [*opened(place, "Calc"), keys("ctrl", "home"),
             act(f"pyautogui.press('down', presses={row - 1})"),
             act(f"pyautogui.press('right', presses={width})"),
             typed(f"=SUM({column}2:{column}{row - 1})\n"), *save(place)],
            [download((f"{name}.ods", place)), open_file(place)],
            {f"{name}.ods":
             lambda path, rows=rows: fixtures.sheet(path, rows)})


def cells():
    for split, (name, cell, wish, value) in zip(SPLITS, (
            ("address", "A5", "the words Main Street 12", "Main Street 12"),
            ("prices", "D2", "the number 4750", "4750"),
            ("plan", "B7", "the word finished", "finished"))):
        place = f"Documents/{name}.ods"
        rows = [["name", "value", "unit"]] + [[f"n{n}", n * 3, "kg"]
                                              for n in range(1, 4)]
        down, right = int(cell[1:]) - 1, ord(cell[0]) - ord("A")
        yield Task(
            "libreoffice_calc", f"cell-{name}", split,
            f"Write {wish} into the cell {cell} of the open sheet, and save "
            "the file in its own format.",
            prints(READ.format(place=place, code=
                               "print(re.findall(r'<text:p>([^<]*)<',t))"),
                   [f"'{value}'"]),
            [*opened(place, "Calc"), keys("ctrl", "home"),
             act(f"pyautogui.press('down', presses={down}); "
                 f"pyautogui.press('right', presses={right})"),
             typed(value + "\n"), *save(place)],
            [download((f"{name}.ods", place)), open_file(place)],
            {f"{name}.ods":
             lambda path, rows=rows: fixtures.sheet(path, rows)})


def endings():
    for split, (name, words) in zip(SPLITS, (
            ("letter", "Yours sincerely, Ada"),
            ("minutes", "The meeting ended at noon."),
            ("recipe", "Serve it cold."))):
        place = f"Documents/{name}.odt"
        lines = [f"The first line of the {name}.", "Another line.",
                 "The last line so far."]
        yield Task(
            "libreoffice_writer", f"ending-{name}", split,
            f"Add a last paragraph to the open document: {words} Save the "
            "file in its own format." if words.endswith(".") else
            f"Add a last paragraph to the open document: {words}. (Without "
            "the full stop.) Save the file in its own format.",
            prints(READ.format(place=place, code=
                               "print([re.sub('<[^>]*>','',p) for p in "
                               "re.findall(r'<text:p[^>]*>(.*?)</text:p>',t)]"
                               "[-1])"), [words], ["far."]),
            [*opened(place, "Writer"), keys("ctrl", "end"),
             typed("\n" + words), *save(place)],
            [download((f"{name}.odt", place)), open_file(place)],
            {f"{name}.odt":
             lambda path, lines=lines: fixtures.document(path, lines)})


def headings():
    for split, (name, level) in zip(SPLITS, (
            ("essay", 1), ("manual", 2), ("thesis", 3))):
        place = f"Documents/{name}.odt"
        lines = [f"About the {name}", "Text of it.", "More text."]
        yield Task(
            "libreoffice_writer", f"heading-{name}", split,
            "Make the first line of the open document a heading of level "
            f"{level} (the paragraph style Heading {level}), and save the "
            "file in its own format.",
            prints(READ.format(place=place, code=
                               "print(re.findall(r'<text:h [^>]*outline-level="
                               "(.[0-9])',t))"), [f"{level}'"]),
            [*opened(place, "Writer"), keys("ctrl", "home"),
             keys("ctrl", str(level)), *save(place)],
            [download((f"{name}.odt", place)), open_file(place)],
            {f"{name}.odt":
             lambda path, lines=lines: fixtures.document(path, lines)})


def more_slides():
    for split, (name, count, wanted) in zip(SPLITS, (
            ("talk", 2, 3), ("lesson", 3, 5), ("pitch", 1, 3))):
        place = f"Documents/{name}.odp"
        titles = [f"Slide {n} of the {name}" for n in range(1, count + 1)]
        yield Task(
            "libreoffice_impress", f"slides-{name}", split,
            f"The open presentation has {count} slide"
            f"{'s' if count > 1 else ''}. Add new slides until it has "
            f"{wanted}, and save the file in its own format.",
            prints_exactly(READ.format(
                place=place, code="print(len(re.findall(r'<draw:page ',t)))"),
                f"{wanted}\n"),
            [*opened(place, "Impress"),
             *[keys("ctrl", "m"), act("time.sleep(0.5)")]
             * (wanted - count), *save(place)],
            [download((f"{name}.odp", place)), open_file(place)],
            {f"{name}.odp":
             lambda path, titles=titles: fixtures.slides(path, titles)})


def tasks():
    for family in (totals, cells, endings, headings, more_slides):
        yield from family()
