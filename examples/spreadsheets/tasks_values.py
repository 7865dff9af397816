"""Blank against empty text, and lookups."""

import datetime

from task import (CELL, GOODS, NAMES, OPEN, PLACES, SAVE, SHEET, Task, copied,
                  put)


def missing_notes(rng):
    table = [["Goods", "Checked", "Note"]]
    golden = [["Goods", "Checked", "Note"]]
    checked = [None, "yes", "no", "", "yes", None]
    rng.shuffle(checked)
    for item, state in zip(rng.sample(GOODS, 6), checked):
        table.append([item, state])
        golden.append([item, state] + ([] if state else ["missing"]))
    return {"Sheet1": table}, {"Sheet1": golden}


def fill_down(rng):
    table, golden = [["Region", "Goods", "Pieces"]], [["Region", "Goods", "Pieces"]]
    for place in rng.sample(PLACES, 3):
        for i, item in enumerate(rng.sample(GOODS, rng.randint(2, 4))):
            pieces = rng.choice([None, rng.randint(1, 20)])
            table.append([None if i else place, item, pieces])
            golden.append([place, item, pieces])
    return {"Sheet1": table}, {"Sheet1": golden}


def blanks_and_zeros(rng):
    values = [0, 0, None, None, None, ""] + [rng.randint(1, 9)
                                             for _ in range(rng.randint(3, 6))]
    rng.shuffle(values)
    table = [["Day", "Sales"]] + [[f"day {n}", value]
                                  for n, value in enumerate(values, 1)]
    golden = copied(table)
    for r, (label, count) in enumerate([("blank", 4), ("zero", 2)], 1):
        put(golden, r, 4, label)
        put(golden, r, 5, count)
    return {"Sheet1": table}, {"Sheet1": golden}


def prices(rng):
    known = {item: rng.randint(100, 999) / 100 for item in rng.sample(GOODS, 7)}
    listed = [["Goods", "Price"]] + [[item, price]
                                     for item, price in known.items()]
    asked = rng.sample(list(known), 4) + [item for item in GOODS
                                          if item not in known][:2]
    rng.shuffle(asked)
    table = [["Goods", "Price"]] + [[item] for item in asked]
    golden = [["Goods", "Price"]] + [[item, known.get(item, "not listed")]
                                     for item in asked]
    return ({"Orders": table, "Prices": listed},
            {"Orders": golden, "Prices": copied(listed)})


def latest(rng):
    first = datetime.date(2023, 1, 1)
    names = rng.sample(NAMES, 4)
    visits = [[name, first + datetime.timedelta(days=day)]
              for name, day in zip(names + [rng.choice(names)
                                            for _ in range(rng.randint(5, 9))],
                                   rng.sample(range(700), 13))]
    rng.shuffle(visits)
    table = [["Name", "Visit", None, "Name", "Last visit"]] + [
        list(visit) for visit in visits]
    for r, name in enumerate(names, 2):
        put(table, r, 4, name)
    golden = copied(table)
    for r, name in enumerate(names, 2):
        put(golden, r, 5, max(day for who, day in visits if who == name))
    return {"Sheet1": table}, {"Sheet1": golden}


def two_keys(rng):
    items = rng.sample(GOODS, 3)
    stock = [[place, item, rng.randint(0, 80)]
             for place in PLACES for item in items]
    rng.shuffle(stock)
    asked = rng.sample([row[:2] for row in stock], rng.randint(4, 7))
    found = {(place, item): pieces for place, item, pieces in stock}
    table = [["Region", "Goods", "Stock"]] + asked
    golden = [table[0]] + [row + [found[tuple(row)]] for row in asked]
    listed = [["Region", "Goods", "Pieces"]] + stock
    return ({"Questions": table, "Stock": listed},
            {"Questions": golden, "Stock": copied(listed)})


def untidy_keys(rng):
    names = rng.sample(NAMES, 6)
    grades = {name: rng.choice("ABCDE") for name in names}
    listed = [["Name", "Grade"]] + [
        [rng.choice([name + " ", name.upper(), " " + name.lower()]), grade]
        for name, grade in grades.items()]
    asked = rng.sample(names, 5)
    table = [["Name", "Grade"]] + [[name] for name in asked]
    golden = [["Name", "Grade"]] + [[name, grades[name]] for name in asked]
    return ({"Class": table, "Grades": listed},
            {"Class": golden, "Grades": copied(listed)})


TASKS = [
    Task("blanks-missing", CELL, "Where column B holds nothing or an empty text, "
         "write 'missing' in column C; leave the other cells of C empty.",
         "'Sheet1'!C2:C7", missing_notes, [OPEN + """\
for row in range(2, sheet.max_row + 1):
    if sheet.cell(row, 2).value in (None, ''):
        sheet.cell(row, 3, 'missing')
""" + SAVE], [OPEN + """\
for row in range(2, sheet.max_row + 1):
    sheet.cell(row, 3, 'missing' if sheet.cell(row, 2).value is None else 'no')
""" + SAVE]),
    Task("blanks-fill-down", SHEET, "Fill the empty cells of the column Region with "
         "the region above them. Pieces that are empty stay empty.",
         "A1:C13", fill_down, [OPEN + """\
for row in range(2, sheet.max_row + 1):
    if sheet.cell(row, 1).value is None:
        sheet.cell(row, 1, sheet.cell(row - 1, 1).value)
""" + SAVE], ["""\
import pandas
table = pandas.read_excel('input.xlsx').ffill()
table.to_excel('output.xlsx', sheet_name='Sheet1', index=False)
"""]),
    Task("blanks-zeros", CELL, "In D1:E2 write 'blank' with the number of days "
         "without sales figure (empty text is none), below it 'zero' with the "
         "number of days that sold 0.", "'Sheet1'!D1:E2", blanks_and_zeros, [OPEN + """\
sales = [row[1] for row in sheet.iter_rows(min_row=2, max_col=2, values_only=True)]
sheet['D1'], sheet['E1'] = 'blank', sum(n in (None, '') for n in sales)
sheet['D2'], sheet['E2'] = 'zero', sum(n == 0 for n in sales)
""" + SAVE], [OPEN + """\
sales = [row[1] for row in sheet.iter_rows(min_row=2, max_col=2, values_only=True)]
sheet['D1'], sheet['E1'] = 'blank', sum(not n for n in sales)
sheet['D2'], sheet['E2'] = 'zero', sum(n == 0 for n in sales)
""" + SAVE]),
    Task("lookups-price", CELL, "Fill the prices of the sheet Orders from the sheet "
         "Prices; write 'not listed' where there is none.", "'Orders'!B2:B7", prices,
         [OPEN, """\
known = dict(book['Prices'].iter_rows(min_row=2, values_only=True))
for row in range(2, sheet.max_row + 1):
    sheet.cell(row, 2, known.get(sheet.cell(row, 1).value, 'not listed'))
""" + SAVE], answer_sheet="Orders"),
    Task("lookups-latest", CELL, "Beside each name in column D write the date of the "
         "latest visit listed in A:B, as a date.", "E2:E5", latest, [OPEN + """\
last = {}
for name, day in sheet.iter_rows(min_row=2, max_col=2, values_only=True):
    last[name] = max(day, last.get(name, day))
row = 2
while (name := sheet.cell(row, 4).value) is not None:
    sheet.cell(row, 5, last[name])
    row += 1
""" + SAVE], [OPEN + """\
last = dict(sheet.iter_rows(min_row=2, max_col=2, values_only=True))
for row in range(2, 6):
    sheet.cell(row, 5, last[sheet.cell(row, 4).value].strftime('%Y-%m-%d'))
""" + SAVE]),
    Task("lookups-two-keys", CELL, "Fill column C of the sheet Questions with the "
         "pieces that the sheet Stock has for that region and those goods; 0 is an "
         "answer too.", "'Questions'!C2:C8", two_keys, [OPEN + """\
pieces = {row[:2]: row[2] for row in
          book['Stock'].iter_rows(min_row=2, values_only=True)}
for row in range(2, sheet.max_row + 1):
    sheet.cell(row, 3, pieces[sheet.cell(row, 1).value, sheet.cell(row, 2).value])
""" + SAVE], answer_sheet="Questions"),
    Task("lookups-untidy", CELL, "Fill the grades of the sheet Class from the sheet "
         "Grades, where names have stray blanks and capitals.", "'Class'!B2:B6",
         untidy_keys, [OPEN + """\
grades = {name.strip().casefold(): grade for name, grade in
          book['Grades'].iter_rows(min_row=2, values_only=True)}
for row in range(2, sheet.max_row + 1):
    sheet.cell(row, 2, grades[sheet.cell(row, 1).value.casefold()])
""" + SAVE], answer_sheet="Class"),
]
