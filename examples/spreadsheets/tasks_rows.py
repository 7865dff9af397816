"""Duplicates and filters: which rows stay."""

from task import CELL, GOODS, NAMES, OPEN, PLACES, SAVE, SHEET, Task, copied, put


def repeated(rng, names):
    """Each name once or more, in any order."""
    rows = names + [rng.choice(names) for _ in range(rng.randint(3, 6))]
    rng.shuffle(rows)
    return rows


def mark_repeats(rng):
    table = [["Name", "Mark"]] + [[name] for name
                                  in repeated(rng, rng.sample(NAMES, 5))]
    golden, seen = [table[0]], set()
    for name, in table[1:]:
        golden.append([name] + (["duplicate"] if name in seen else []))
        seen.add(name)
    return {"Sheet1": table}, {"Sheet1": golden}


def keep_last(rng):
    table = [["Name", "Phone"]] + [
        [name, f"0{rng.randint(100, 999)}"]
        for name in repeated(rng, rng.sample(NAMES, 5))]
    last = {name: r for r, (name, _) in enumerate(table)}
    golden = [row for r, row in enumerate(table) if last[row[0]] == r]
    return {"Sheet1": table}, {"Sheet1": copied(golden)}


def count_distinct(rng):
    visits = [[rng.choice(PLACES), rng.choice(NAMES[:5])]
              for _ in range(rng.randint(12, 16))]
    table = [["Region", "Name", None, "Region", "People"]] + copied(visits)
    for r, place in enumerate(PLACES, 2):
        put(table, r, 4, place)
    golden = copied(table)
    for r, place in enumerate(PLACES, 2):
        put(golden, r, 5, len({name for where, name in visits
                               if where == place}))
    return {"Sheet1": table}, {"Sheet1": golden}


def above_limit(rng):
    amounts = rng.sample(range(10, 99), rng.randint(8, 12))
    limit = sorted(amounts)[len(amounts) // 2]  # one of them: not above it
    table = [["Name", "Amount"]] + [[rng.choice(NAMES), n] for n in amounts]
    put(table, 1, 4, "Limit")
    put(table, 1, 5, limit)
    golden = copied(table)
    kept = [["Name", "Amount"]] + [row[:2] for row in table[1:]
                                   if row[1] > limit]
    for r, (name, amount) in enumerate(kept, 1):
        put(golden, r, 7, name)
        put(golden, r, 8, amount)
    return {"Sheet1": table}, {"Sheet1": golden}


def drop_void(rng):
    void = ["VOID 1", "VOID 2", "VOID 3", "Avoid"]
    labels = void + rng.sample(GOODS, rng.randint(4, 7))
    rng.shuffle(labels)
    # Two neighbours: deleting while counting up would miss one.
    labels[2:2] = ["VOID 8", "VOID 9"]
    table = [["Entry", "Amount"]] + [[label, rng.randint(1, 99)]
                                     for label in labels]
    golden = [row for row in table if not row[0].startswith("VOID")]
    return {"Journal": table}, {"Journal": copied(golden)}


def best_of_each(rng):
    amounts = rng.sample(range(100, 999), 14)
    table = [["Region", "Name", "Sales"]] + [
        [PLACES[i % 3], rng.choice(NAMES), n] for i, n in enumerate(amounts)]
    golden = copied(table)
    kept = [["Region", "Name", "Sales"]]
    for place in sorted(PLACES[:3]):
        kept += sorted((row for row in table[1:] if row[0] == place),
                       key=lambda row: -row[2])[:2]
    for r, row in enumerate(kept, 1):
        for c, value in enumerate(row, 5):
            put(golden, r, c, value)
    return {"Sheet1": table}, {"Sheet1": golden}


TASKS = [
    Task("duplicates-mark", CELL, "Write 'duplicate' in column B beside each name "
         "that has occurred further up; leave first occurrences empty.",
         "'Sheet1'!B2:B12", mark_repeats, [OPEN + """\
seen = set()
for row in range(2, sheet.max_row + 1):
    name = sheet.cell(row, 1).value
    if name in seen:
        sheet.cell(row, 2, 'duplicate')
    seen.add(name)
""" + SAVE], [OPEN + """\
names = [cell.value for cell in sheet['A']]
for row in range(2, sheet.max_row + 1):
    if names.count(sheet.cell(row, 1).value) > 1:
        sheet.cell(row, 2, 'duplicate')
""" + SAVE]),
    Task("duplicates-last", SHEET, "Keep only the last row of each name, in the "
         "order of the rows and without gaps. Phone numbers are text.", "A1:B12",
         keep_last, [OPEN + """\
names = [cell.value for cell in sheet['A']]
for row in range(sheet.max_row, 1, -1):
    if sheet.cell(row, 1).value in names[row:]:
        sheet.delete_rows(row)
""" + SAVE], ["""\
import pandas
table = pandas.read_excel('input.xlsx', dtype=str).drop_duplicates('Name')
table.to_excel('output.xlsx', sheet_name='Sheet1', index=False)
"""]),
    Task("duplicates-distinct", CELL, "Beside each region in column D write how many "
         "different people are listed for it in A:B.", "E2:E5", count_distinct, [OPEN + """\
people = {}
for place, name in sheet.iter_rows(min_row=2, max_col=2, values_only=True):
    people.setdefault(place, set()).add(name)
for row in range(2, 6):
    sheet.cell(row, 5, len(people.get(sheet.cell(row, 4).value, ())))
""" + SAVE]),
    Task("filters-limit", SHEET, "Copy the rows of A:B whose amount is above the "
         "limit in E1, with the headers, to the columns G:H.", "'Sheet1'!G1:H13",
         above_limit, [OPEN + """\
limit, line = sheet['E1'].value, 1
for row in sheet.iter_rows(max_col=2, values_only=True):
    if row[1] == 'Amount' or row[1] > limit:
        sheet.cell(line, 7, row[0])
        sheet.cell(line, 8, row[1])
        line += 1
""" + SAVE], [OPEN + """\
limit, line = sheet['E1'].value, 1
for row in sheet.iter_rows(max_col=2, values_only=True):
    if row[1] == 'Amount' or row[1] >= limit:
        sheet.cell(line, 7, row[0])
        sheet.cell(line, 8, row[1])
        line += 1
""" + SAVE]),
    Task("filters-void", SHEET, "Delete every row whose entry begins with VOID.",
         "'Journal'!A1:B14", drop_void, [OPEN + """\
for row in range(sheet.max_row, 1, -1):
    if sheet.cell(row, 1).value.startswith('VOID'):
        sheet.delete_rows(row)
""" + SAVE], [OPEN + """\
for row in range(2, sheet.max_row + 1):
    if str(sheet.cell(row, 1).value).startswith('VOID'):
        sheet.delete_rows(row)
""" + SAVE], answer_sheet="Journal"),
    Task("filters-best", SHEET, "Copy, with the headers, the two rows of largest "
         "sales of each region to the columns E:G: regions in the order of the "
         "alphabet, the largest sales first.", "E1:G7", best_of_each, [OPEN + """\
head, *rows = list(sheet.iter_rows(max_col=3, values_only=True))
rows.sort(key=lambda row: (row[0], -row[2]))
kept, taken = [head], {}
for row in rows:
    taken[row[0]] = taken.get(row[0], 0) + 1
    if taken[row[0]] <= 2:
        kept.append(row)
for r, row in enumerate(kept, 1):
    for c, value in enumerate(row, 5):
        sheet.cell(r, c, value)
""" + SAVE]),
]
