"""Headers that are data, exact ranges, several tables on a sheet."""

from task import CELL, GOODS, NAMES, OPEN, PLACES, SAVE, SHEET, Task, copied, put

MONTHS = ["Jan", "Feb", "Mar", "Apr"]


def months_to_rows(rng):
    names = rng.sample(NAMES, rng.randint(4, 6))
    table = [["Name"] + MONTHS] + [
        [name] + [rng.choice([None, rng.randint(5, 90)]) for _ in MONTHS]
        for name in names]
    put(table, 2, 2, rng.randint(5, 90))  # so that there is one at least
    golden = copied(table)
    entries = [(row[0], month, amount) for row in table[1:]
               for month, amount in zip(MONTHS, row[1:]) if amount is not None]
    for r, entry in enumerate([("Name", "Month", "Amount")] + entries, 1):
        for c, value in enumerate(entry, 8):
            put(golden, r, c, value)
    return {"Sheet1": table}, {"Sheet1": golden}


def section_names(rng):
    table = [["Item", "Pieces", "Region"]]
    golden = copied(table)
    for place in rng.sample(PLACES, 3):
        table.append([f"Region: {place}"])
        golden.append([f"Region: {place}"])
        for item in rng.sample(GOODS, rng.randint(2, 4)):
            row = [item, rng.randint(1, 50)]
            table.append(row)
            golden.append(row + [place])
    return {"Sheet1": table}, {"Sheet1": golden}


def no_header(rng):
    table = [[name, rng.randint(10, 99)]
             for name in rng.sample(NAMES, rng.randint(6, 10))]
    golden = copied(table)
    put(golden, 1, 5, sum(row[1] for row in table))
    put(golden, 2, 5, len(table))
    return {"Sheet1": table}, {"Sheet1": golden}


def sum_over_gaps(rng):
    table = [["Goods", "Stock"]]
    for _ in range(3):
        table += [[item, rng.randint(1, 60)]
                  for item in rng.sample(GOODS, rng.randint(2, 4))] + [[]]
    golden = copied(table)
    put(golden, 1, 4, "Total")
    put(golden, 2, 4, sum(row[1] for row in table[1:] if row))
    return {"Sheet1": table}, {"Sheet1": golden}


def between_marks(rng):
    def lines(count):
        return [[rng.choice(GOODS), rng.randint(1, 99)] for _ in range(count)]

    before, inside, after = (lines(rng.randint(2, 4)), lines(rng.randint(4, 6)),
                             lines(rng.randint(2, 4)))
    table = before + [["START"]] + inside + [["END"]] + after
    golden = copied(table)
    ranked = sorted((row[1] for row in inside), reverse=True)
    for r, row in enumerate(inside, len(before) + 2):
        put(golden, r, 3, ranked.index(row[1]) + 1)
    return {"Sheet1": table}, {"Sheet1": golden}


def two_tables(rng):
    table = []
    golden = []
    for title in ("Orders", "Returns"):
        rows = [[title], ["Goods", "Pieces"]] + [
            [item, rng.randint(1, 40)]
            for item in rng.sample(GOODS, rng.randint(3, 5))] + [["Total"]]
        table += rows + [[]]
        golden += rows[:-1] + [["Total", sum(row[1] for row in rows[2:-1])], []]
    return {"Stock": table}, {"Stock": golden}


def side_by_side(rng):
    count = rng.randint(5, 8)
    names = rng.sample(NAMES, count)
    hours = [[name, rng.randint(5, 40)] for name in names]
    wages = [[name, rng.randint(15, 40)] for name in names]
    rng.shuffle(wages)
    table = [["Name", "Hours", None, "Name", "Wage"]] + [
        left + [None] + right for left, right in zip(hours, wages)]
    golden = copied(table)
    put(golden, 1, 7, "Pay")
    for r, (name, time) in enumerate(hours, 2):
        put(golden, r, 7, time * dict(wages)[name])
    return {"Sheet1": table}, {"Sheet1": golden}


TASKS = [
    Task("headers-months", SHEET, "Turn the table at A1 into a list that begins "
         "at H1 with the headers Name, Month, Amount: one row for each amount "
         "that is there, name by name and in the order of the months. Leave out "
         "months without an amount.", "'Sheet1'!H1:J25", months_to_rows, [
             OPEN, """\
line = 1
for c, text in enumerate(('Name', 'Month', 'Amount'), 8):
    sheet.cell(1, c, text)
months = [cell.value for cell in sheet[1][1:5]]
for row in range(2, sheet.max_row + 1):
    for c, month in enumerate(months, 2):
        amount = sheet.cell(row, c).value
        if amount is not None:
            line += 1
            for k, value in enumerate((sheet.cell(row, 1).value, month, amount), 8):
                sheet.cell(line, k, value)
""" + SAVE]),
    Task("headers-sections", CELL, "Rows such as 'Region: North' are headings for "
         "the items below them. Write the region of each item, without the word "
         "'Region:', in column C, and nothing beside the headings.",
         "'Sheet1'!C2:C16", section_names, [OPEN + """\
region = None
for row in range(2, sheet.max_row + 1):
    text = sheet.cell(row, 1).value
    if text.startswith('Region:'):
        region = text.split(':')[1].strip()
    else:
        sheet.cell(row, 3, region)
""" + SAVE], [OPEN + """\
region = None
for row in range(2, sheet.max_row + 1):
    text = sheet.cell(row, 1).value
    if text.startswith('Region:'):
        region = text.split(':')[1].strip()
    sheet.cell(row, 3, region)
""" + SAVE]),
    Task("headers-none", CELL, "Write the sum of the points in column B to E1 and "
         "the number of people to E2.", "E1:E2", no_header, [OPEN + """\
points = [row[1] for row in sheet.iter_rows(values_only=True)]
sheet['E1'], sheet['E2'] = sum(points), len(points)
""" + SAVE], ["""\
import pandas
table = pandas.read_excel('input.xlsx')
""" + OPEN + """\
sheet['E1'], sheet['E2'] = int(table.iloc[:, 1].sum()), len(table)
""" + SAVE]),
    Task("ranges-gaps", CELL, "Write 'Total' to D1 and the sum of the whole column "
         "B to D2.", "D1:D2", sum_over_gaps, [OPEN + """\
stock = [row[1] for row in sheet.iter_rows(min_row=2, max_col=2, values_only=True)]
sheet['D1'], sheet['D2'] = 'Total', sum(n for n in stock if n is not None)
""" + SAVE], [OPEN + """\
total, row = 0, 2
while sheet.cell(row, 2).value is not None:
    total += sheet.cell(row, 2).value
    row += 1
sheet['D1'], sheet['D2'] = 'Total', total
""" + SAVE]),
    Task("ranges-marks", CELL, "Rank the numbers in column B that stand between the "
         "rows START and END, the largest first and equal ones alike; write the "
         "rank beside them in column C and nothing anywhere else.",
         "'Sheet1'!C1:C20", between_marks, [OPEN + """\
labels = [cell.value for cell in sheet['A']]
first, last = labels.index('START') + 2, labels.index('END')
numbers = [sheet.cell(row, 2).value for row in range(first, last + 1)]
for row, number in enumerate(numbers, first):
    sheet.cell(row, 3, 1 + sum(other > number for other in numbers))
""" + SAVE]),
    Task("tables-totals", CELL, "The sheet has two tables, each with a row Total "
         "below it. Write the sum of its pieces beside each Total.",
         "'Stock'!B1:B20", two_tables, [OPEN + """\
total = 0
for row in range(1, sheet.max_row + 1):
    label, pieces = sheet.cell(row, 1).value, sheet.cell(row, 2).value
    if label == 'Total':
        sheet.cell(row, 2, total)
        total = 0
    elif isinstance(pieces, int):
        total += pieces
""" + SAVE], answer_sheet="Stock"),
    Task("tables-beside", CELL, "Hours are in A:B and wages in D:E, not in the same "
         "order. Write 'Pay' to G1 and below it, in the order of the names in "
         "column A, hours times wage.", "G1:G10", side_by_side, [OPEN + """\
wages = {sheet.cell(r, 4).value: sheet.cell(r, 5).value
         for r in range(2, sheet.max_row + 1)}
sheet['G1'] = 'Pay'
for r in range(2, sheet.max_row + 1):
    sheet.cell(r, 7, sheet.cell(r, 2).value * wages[sheet.cell(r, 1).value])
""" + SAVE], [OPEN + """\
sheet['G1'] = 'Pay'
for r in range(2, sheet.max_row + 1):
    sheet.cell(r, 7, sheet.cell(r, 2).value * sheet.cell(r, 5).value)
""" + SAVE]),
]
