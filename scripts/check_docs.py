#!/usr/bin/env python3
"""Checks the Markdown pages against the files of the project.

  check_docs.py [ROOT]       check a checkout (default: the one this is in)
  check_docs.py --self-test  check the checker

Relative links lead to a file and, with #, to a heading in it. Paths of the
project in `backticks` exist. Names in `backticks` in docs/glossary.md are in
the code. The README of the project links to every page of docs/ and to that of
every folder, and the README of a folder names its sub-folders with sources. Prints `file:line: what is wrong`, one per line, and exits 1 if there
was any.
"""

import re
import sys
import tempfile
from pathlib import Path

import check_layers

SKIPPED = {"build", "runs", "config/prompts"}  # not pages, or not ours
HISTORY = {"CHANGELOG.md"}  # may name what is gone
GLOSSARY = "docs/glossary.md"
UNLISTED = {"tests"}  # its folders are called as those that they test

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.-]+(/[\w.-]+)+/?")
HEADER = re.compile(r"[\w-]+\.(hpp|cpp)")
HEADING = re.compile(r"^#+ +(.*)", re.MULTILINE)
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)+")
RECORD = re.compile(r"docs/adr/\d{4}")
ENDINGS = ["", ".hpp", ".cpp", ".py"]


def files_of(root):
    for path in sorted(root.iterdir()):
        if path.name.startswith(".") and path.name != ".ci":
            continue
        if path.is_file():
            yield path
        elif path.name not in SKIPPED:
            yield from (f for f in sorted(path.rglob("*")) if f.is_file()
                        and "__pycache__" not in f.parts)


def text_of(page):
    """The page with empty lines in place of fenced blocks."""
    fenced, lines = False, []
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            fenced, line = not fenced, ""
        lines.append("" if fenced else line)
    return "\n".join(lines)


def found_in(text, pattern):
    """What the pattern's group matches, with line numbers."""
    for match in pattern.finditer(text):
        yield text.count("\n", 0, match.start(1)) + 1, match.group(1)


def anchors_of(page):
    """What a page's headings are called in a link."""
    for heading in HEADING.findall(text_of(page)):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        yield re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")


def check_link(page, target):
    path, _, anchor = target.partition("#")
    to = page.parent / path if path else page
    if not to.exists():
        return f"{path} does not exist"
    if anchor and (to.suffix != ".md" or anchor not in anchors_of(to)):
        return f"{path} has no heading #{anchor}"
    return None


def exists(root, page, path):
    return any((base / (path.rstrip("/") + ending)).exists()
               for base in (root, page.parent) for ending in ENDINGS)


def check_code(root, page, text, names):
    """A word in backticks that claims to be a file."""
    top = text.split("/")[0]
    if PATH.fullmatch(text) and not RECORD.fullmatch(text):
        if (top not in SKIPPED | {".."} and (root / top).is_dir()
                and not exists(root, page, text)):
            return f"{text} does not exist"
    elif HEADER.fullmatch(text) and text not in names:
        return f"no file is called {text}"
    return None


def unlinked(root):
    """Pages that nobody who starts at the README finds."""
    readme = root / "README.md"
    linked = {target.partition("#")[0] for _, target
              in found_in(text_of(readme), LINK)} if readme.is_file() else None
    pages = [*root.glob("docs/*.md"), *root.glob("*/README.md")]
    for page in sorted(pages):
        name = page.relative_to(root).as_posix()
        if linked is not None and name not in linked:
            yield f"README.md:1: no link to {name}"


def unnamed(root, files):
    """Sub-folders with sources of which their folder's README says nothing."""
    folders = {file.relative_to(root).parts[:2] for file in files
               if file.suffix == ".cpp"
               and len(file.relative_to(root).parts) > 2}
    for top, folder in sorted(folders):
        page = root / top / "README.md"
        if top not in UNLISTED and page.is_file() and not re.search(
                rf"\b{folder}/", page.read_text(encoding="utf-8")):
            yield f"{top}/README.md:1: does not name {folder}/"


def check(root):
    files = list(files_of(root))
    names = {file.name for file in files}
    pages = [f for f in files if f.suffix == ".md"
             and not any(f.relative_to(root).as_posix().startswith(s + "/")
                         for s in SKIPPED)]
    for page in pages:
        name, text = page.relative_to(root).as_posix(), text_of(page)
        for number, target in found_in(text, LINK):
            if not re.match(r"\w+:", target) and (
                    wrong := check_link(page, target)):
                yield f"{name}:{number}: {wrong}"
        for number, code in found_in(text, CODE) if name not in HISTORY else []:
            if wrong := check_code(root, page, code, names):
                yield f"{name}:{number}: {wrong}"
    yield from unlinked(root)
    yield from unnamed(root, files)
    if (root / GLOSSARY).is_file():
        code = " ".join(f.read_text(encoding="utf-8") for f in files
                        if f.suffix in (".hpp", ".cpp"))
        known = set(re.findall(r"\w+", code)) | {f.stem for f in files}
        for number, word in found_in(text_of(root / GLOSSARY), CODE):
            if NAME.fullmatch(word) and word not in known:
                yield f"{GLOSSARY}:{number}: {word} is not in the code"


# name, page, its text, expected part of a finding (None: fine)
CASES = [
    ("a link to a file is fine", "a.md", "[b](base/b.hpp)", None),
    ("a link to nothing is refused", "docs/a.md", "\n[b](../base/c.hpp)",
     "docs/a.md:2: ../base/c.hpp does not exist"),
    ("a link that is cut by a line end counts", "a.md", "[the\nb](c.md)",
     "c.md does not exist"),
    ("a link to a heading is fine", "a.md", "# One `two`\n[b](#one-two)", None),
    ("a link to no heading is refused", "a.md", "# One\n[b](#two)",
     "no heading #two"),
    ("a page of docs that the README does not name is refused", "README.md",
     "[b](base/b.hpp)", "README.md:1: no link to docs/page.md"),
    ("a page of docs that the README names is fine", "README.md",
     "[b](docs/page.md#page)", None),
    ("a sub-folder with sources that its README does not name is refused",
     "base/README.md", "`b`", "base/README.md:1: does not name in/"),
    ("a sub-folder that its README names is fine", "base/README.md",
     "`in/`", None),
    ("a link to the web is not followed", "a.md", "[b](https://c.d/e)", None),
    ("a path without its ending is fine", "a.md", "`base/b`", None),
    ("a path from the page's folder is fine", "base/a.md", "`in/c.hpp`", None),
    ("a path to nothing is refused", "a.md", "`base/gone`",
     "base/gone does not exist"),
    ("a path that is not of this project is fine", "a.md", "`usr/lib`", None),
    ("a path outside of the project is fine", "a.md", "`../gone/b`", None),
    ("a header that is nowhere is refused", "a.md", "`gone.hpp`", "gone.hpp"),
    ("a header that is somewhere is fine", "a.md", "`c.hpp`", None),
    ("history may name what is gone", "CHANGELOG.md", "`base/gone`", None),
    ("a fenced block is not read", "a.md", "```\n`base/gone`\n```", None),
    ("a glossary's word is in the code", GLOSSARY, "`a_thing`", None),
    ("a glossary's word that is not is refused", GLOSSARY, "\n`no_thing`",
     "docs/glossary.md:2: no_thing is not in the code"),
]


def self_test():
    failed = 0
    for name, page, text, expected in CASES:
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            for header in ["base/b.hpp", "base/in/c.hpp", "base/in/c.cpp",
                           page]:
                (root / header).parent.mkdir(parents=True, exist_ok=True)
                (root / header).write_text("struct a_thing {};\n",
                                           encoding="utf-8")
            if page == "README.md":
                (root / "docs").mkdir()
                (root / "docs/page.md").write_text("# Page", encoding="utf-8")
            (root / page).write_text(text, encoding="utf-8")
            found = list(check(root))
        good = (not found if expected is None
                else len(found) == 1 and expected in found[0])
        if not good:
            failed += 1
            print(f"FAILED {name}: expected {expected!r}, found {found}")
    print(f"{len(CASES) - failed} of {len(CASES)} cases passed")
    return failed


if __name__ == "__main__":
    sys.exit(check_layers.main(sys.argv[1:], check, self_test))
