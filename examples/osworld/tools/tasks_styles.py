"""Styles, alignments and lists in Writer: each wish is one item of a menu, by its
name. So an agent that acts by elements can do them, and one that was told what
such tasks are done with can do those whose item it has never seen."""

import fixtures
from task import Task, act, download, keys, open_file, prints
from tasks_office import opened, save

# Item -> what the saved file has of it, and keys that do the same.
STYLES = {
    "Title": ("style-name=Title[ >]", ("Styles", 1)),
    "Subtitle": ("style-name=Subtitle[ >]", ("Styles", 2)),
    "Block Quotation": ("style-name=Quotations[ >]", ("Styles", 6)),
    "Preformatted Text": ("style-name=Preformatted_20_Text[ >]", ("Styles", 7)),
    "Centered": ("text-align=center[ /]", ("ctrl", "e")),
    "Right": ("text-align=end[ /]", ("ctrl", "r")),
    "Justified": ("text-align=justify[ /]", ("ctrl", "j")),
    "Ordered List": ("level-style-number.*<text:list ", ("f12",)),
    "Unordered List": ("level-style-bullet.*<text:list ", ("shift", "f12")),
}
# The sealed ones have wishes that no train task has, and two that have.
WISHES = {
    "train": ["Title", "Block Quotation", "Centered", "Unordered List",
              "Title", "Preformatted Text", "Centered", "Block Quotation"],
    "eval": ["Subtitle", "Right", "Ordered List", "Title", "Centered",
             "Block Quotation"],
    "test": ["Subtitle", "Right", "Justified", "Ordered List", "Title",
             "Preformatted Text", "Subtitle", "Justified", "Right",
             "Unordered List"],
}
NOUNS = ("letter", "note", "speech", "notice", "report", "story")
READ = ("python3 -c \"import zipfile,re; t=zipfile.ZipFile('/home/user/{place}')"
        ".read('content.xml').decode().replace(chr(34),''); "
        "print(bool(re.search(r'{pattern}',t,re.S)))\"")


def tasks():
    number = 0
    for split, wishes in WISHES.items():
        for wish in wishes:
            noun = NOUNS[number % len(NOUNS)]
            number += 1
            name = f"style{number}"
            place = f"Documents/{name}.odt"
            lines = [f"Dear reader of {noun} {number}", "More of it.",
                     "The end."]
            pattern, way = STYLES[wish]
            yield Task(
                "libreoffice_writer", f"style-{number}-{split}", split,
                f"The beginning of the open {noun} shall be {wish}. Save it.",
                prints(READ.format(place=place, pattern=pattern), ["True"]),
                [*opened(place, "Writer"), keys("ctrl", "home"), *by(way),
                 *save(place)],
                [download((f"{name}.odt", place)), open_file(place)],
                {f"{name}.odt":
                 lambda path, lines=lines: fixtures.document(path, lines)})


def by(way):
    if way[0] != "Styles":
        return [keys(*way)]
    return [keys("alt", "y"), act("time.sleep(0.5)"),
            act(f"pyautogui.press('down', presses={way[1]}); "
                "time.sleep(0.2); pyautogui.press('enter'); time.sleep(0.2)")]
