"""Files and the terminal."""

import fixtures
from task import (Task, download, execute, in_terminal, prints,
                  prints_exactly)

SPLITS = ("train", "eval", "test")


def rename():
    for split, (folder, old, new, names) in zip(SPLITS, (
            ("Reports", "txt", "md", "april may june"),
            ("Scans", "jpeg", "jpg", "front back side"),
            ("Logs", "log", "old", "boot mail web"))):
        names = names.split()
        place = f"Documents/{folder}"
        yield Task(
            "os", f"rename-{folder}", split,
            f"In the folder {place} of my home directory, all files end in "
            f".{old}. Rename each of them so that it ends in .{new} instead, "
            "and keep the first part of the name.",
            prints_exactly(f"ls -1 /home/user/{place} | sort", "".join(
                f"{name}.{new}\n" for name in sorted(names))),
            in_terminal(f"cd {place}; for f in *.{old}; do mv \"$f\" "
                        f"\"${{f%.{old}}}.{new}\"; done"),
            [execute(f"mkdir -p ~/{place} && cd ~/{place} && touch "
                     + " ".join(f"{name}.{old}" for name in names))])


def count():
    for split, (name, word, times, out) in zip(SPLITS, (
            ("server.log", "ERROR", 17, "errors.txt"),
            ("orders.log", "REFUND", 9, "refunds.txt"),
            ("visits.log", "ROBOT", 23, "robots.txt"))):
        lines = [f"{n:03d} {word if n % 4 == 1 and n // 4 < times else 'OK'} "
                 f"line {n * 37 % 101}" for n in range(140)]
        yield Task(
            "os", f"count-{name}", split,
            f"How many lines of ~/{name} contain the word {word}? Write only "
            f"the number into the file ~/{out}.",
            prints_exactly(f"tr -d '[:space:]' < /home/user/{out}",
                           str(times)),
            in_terminal(f"grep -c {word} {name} > {out}"),
            [download((name, name))],
            {name: lambda path, lines=lines: fixtures.text(path, lines)})


def permissions():
    for split, (name, wish, mode, command) in zip(SPLITS, (
            ("backup.sh", "so that I, and nobody else, may read, change and "
             "run it", "700", "chmod 700"),
            ("secret.txt", "so that I may read and change it, and nobody else "
             "may do anything with it", "600", "chmod 600"),
            ("notes.txt", "so that everybody, me included, may only read it",
             "444", "chmod 444"))):
        yield Task(
            "os", f"permissions-{name}", split,
            f"Set the permissions of ~/Documents/{name} {wish}.",
            prints_exactly(f"stat -c %a /home/user/Documents/{name}",
                           mode + "\n"),
            in_terminal(f"{command} Documents/{name}"),
            [execute(f"touch ~/Documents/{name} && chmod 664 "
                     f"~/Documents/{name}")])


def archive():
    for split, (folder, files) in zip(SPLITS, (
            ("photos", "a.png b.png"), ("letters", "one.txt two.txt"),
            ("music", "song.ogg tune.ogg"))):
        yield Task(
            "os", f"archive-{folder}", split,
            f"Pack the folder ~/{folder} with everything in it into the "
            f"compressed archive ~/{folder}.tar.gz. The folder itself shall "
            "be the first part of the names in the archive.",
            prints(f"tar -tzf /home/user/{folder}.tar.gz 2>&1",
                   [f"{folder}/{name}" for name in files.split()],
                   ["Cannot open", "not in gzip format"]),
            in_terminal(f"tar -czf {folder}.tar.gz {folder}"),
            [execute(f"mkdir -p ~/{folder} && cd ~/{folder} && touch "
                     f"{files}")])


def variables():
    for split, (name, value) in zip(SPLITS, (
            ("EDITOR", "vim"), ("PAGER", "less"), ("LANGUAGE", "fr"))):
        yield Task(
            "os", f"variable-{name}", split,
            f"Make sure that every new terminal has the environment variable "
            f"{name} set to {value}, by my file ~/.bashrc.",
            prints_exactly(
                f"env -i HOME=/home/user TERM=xterm bash -ic 'echo ${name}' "
                "2>/dev/null", value + "\n"),
            in_terminal(f"echo export {name}={value} >> .bashrc"),
            [execute("touch ~/.bashrc")])


def tasks():
    for family in (rename, count, permissions, archive, variables):
        yield from family()
