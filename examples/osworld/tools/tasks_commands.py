"""One command on files that the task names. Seven kinds of wish, each in three
wordings: two to train, the first of them to evaluate, and to test one task in each
of these two and two in the third, which no train task has. Such a task takes
seconds, and an agent without a language model can do it if it knows which command
is for which wish."""

from task import (FAIL, INFEASIBLE, Task, execute, in_terminal, prints,
                  prints_exactly)

SPLITS = ("train", "train", "eval", "test", "test", "test", "test")
WORDINGS = (0, 1, 0, 0, 1, 2, 2)


def holds(check):
    return prints_exactly(f"cd /home/user; {check} && echo yes", "yes\n")


def written(*names):
    return [execute("cd ~; " + "; ".join(
        f"echo text of {name} > {name}" for name in names))]


def variants(kind, wordings, cases):
    """(task without its evaluator and solution, words of the case)"""
    assert len(cases) == len(SPLITS)
    for number, case in enumerate(cases):
        words = case if isinstance(case, tuple) else (case,)
        name = words[0].split(".")[0].replace(" ", "-")
        yield (f"command-{kind}-{name}", SPLITS[number],
               wordings[WORDINGS[number]].format(*words)), words


def task(told, evaluator, command, config=()):
    return Task("os", *told, evaluator, in_terminal(command), list(config))


def folders():
    for told, (name,) in variants("folder", (
            'Make a new folder with the name "{}" in my home directory.',
            'I would like a folder "{}" in my home; create it, please.',
            'An empty folder called "{}" is what my home lacks.'),
            ("reports", "invoices", "recipes", "trips", "lessons", "drawings",
             "contracts")):
        yield task(told, holds(f"test -d {name}"), f"mkdir {name}")


def copies():
    for told, (old, new) in variants("copy", (
            'Copy the file "{}" in my home directory; the copy is called '
            '"{}".',
            'I need a copy of the file "{}" in my home, with the name "{}".',
            'Beside the file "{}" in my home I would like a copy, "{}".'),
            (("plan.txt", "plan-copy.txt"), ("list.csv", "spare.csv"),
             ("poem.txt", "verse.txt"), ("budget.csv", "budget-2.csv"),
             ("songs.txt", "music.txt"), ("address.csv", "people.csv"),
             ("menu.txt", "dinner.txt"))):
        yield task(told,
                   holds(f"test -f {new} -a ! -L {new} && cmp -s {old} {new}"),
                   f"cp {old} {new}", written(old))


def renames():
    for told, (old, new) in variants("rename", (
            'Give the file "{}" in my home directory the new name "{}".',
            'The file "{}" in my home needs a new name: "{}".',
            'From now on the file "{}" in my home has the new name "{}"; see '
            "to it."),
            (("draft.txt", "final.txt"), ("scan1.txt", "letter.txt"),
             ("todo.txt", "done.txt"), ("untitled.md", "story.md"),
             ("temp.csv", "prices.csv"), ("paper.md", "thesis.md"),
             ("log1.txt", "monday.txt"))):
        yield task(told, holds(f"test ! -e {old} -a ! -L {new} && "
                               f"grep -qx 'text of {old}' {new}"),
                   f"mv {old} {new}", written(old))


def removals():
    for told, (name,) in variants("delete", (
            'Delete the file "{}" in my home directory, and no other.',
            'I do not want the file "{}" in my home any more; delete it '
            "alone.",
            'Please delete "{}", a file in my home, and nothing else.'),
            ("old.log", "junk.txt", "spam.txt", "backup.tmp", "cache.bin",
             "trash.md", "copy.bak")):
        yield task(told, holds(f"test ! -e {name} -a ! -e {name}.gz "
                               "-a -e keep.txt"),
                   f"rm {name}", written(name, "keep.txt"))


def secrets():
    for told, (name,) in variants("private", (
            'Set the permissions of the file "{}" in my home directory so '
            "that I may read and change it, and nobody else.",
            'Nobody else shall read the file "{}" in my home; I may read and '
            "change it. Set its permissions.",
            'Set permissions: "{}", a file in my home, is for me to read and '
            "change, and for nobody else."),
            ("diary.txt", "keys.txt", "taxes.csv", "wishes.txt", "salary.csv",
             "notes.md", "exam.txt")):
        yield task(told, prints_exactly(f"stat -c %a /home/user/{name}",
                                        "600\n"), f"chmod 600 {name}",
                   [*written(name), execute(f"chmod 664 ~/{name}")])


def archives():
    for told, (folder, name) in variants("pack", (
            'Pack the folder "{}" in my home directory into the compressed '
            'archive "{}".',
            'The folder "{}" in my home shall be packed as a compressed '
            'archive, "{}".',
            'Of the folder "{}" in my home I need a compressed archive with '
            'the name "{}".'),
            (("holiday", "holiday.tgz"), ("thesis", "thesis.tar.gz"),
             ("scores", "scores.tgz"), ("maps", "maps.tar.gz"),
             ("slides", "talks.tgz"), ("photos", "photos.tgz"),
             ("letters", "post.tar.gz"))):
        yield task(told, prints(f"tar -tzf /home/user/{name} 2>&1",
                                [f"{folder}/a.txt", f"{folder}/b.txt"],
                                ["Cannot open", "not in gzip format"]),
                   f"tar -czf {name} {folder}",
                   [execute(f"cd ~; mkdir {folder}; touch {folder}/a.txt "
                            f"{folder}/b.txt")])


def no_such_device():
    for told, _ in variants("infeasible", (
            "Turn on the {} of this computer.",
            "This computer has a {}: turn it on.",
            "Could you turn on the {} that belongs to my computer?"),
            ("fingerprint reader", "barcode scanner", "infrared camera",
             "heart rate sensor", "smart card reader", "thermal printer",
             "braille display")):
        yield Task("os", *told, INFEASIBLE, [FAIL])


def tasks():
    for family in (folders, copies, renames, removals, secrets, archives,
                   no_such_device):
        yield from family()
