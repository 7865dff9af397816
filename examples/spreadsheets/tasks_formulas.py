"""Formulas: what is graded are their values, which only a recalculation makes."""

from task import CELL, GOODS, NAMES, OPEN, PLACES, SAVE, SHEET, Task, copied, put


def line_totals(rng):
    table = [["Goods", "Pieces", "Price", "Sum"]] + [
        [item, rng.randint(1, 30), rng.randint(100, 999) / 100]
        for item in rng.sample(GOODS, rng.randint(4, 7))]
    golden = copied(table)
    for r in range(2, len(table) + 1):
        put(golden, r, 4, f"=B{r}*C{r}")
    put(golden, len(table) + 1, 4, f"=SUM(D2:D{len(table)})")
    return {"Sheet1": table}, {"Sheet1": golden}


def sums_of_regions(rng):
    table = [["Region", "Year", "Sales"]] + [
        [rng.choice(PLACES), rng.choice([2022, 2023]), rng.randint(10, 99)]
        for _ in range(rng.randint(12, 18))]
    put(table, 1, 5, "Region")
    put(table, 1, 6, 2023)
    for r, place in enumerate(PLACES, 2):
        put(table, r, 5, place)
    golden = copied(table)
    for r in range(2, 6):
        put(golden, r, 6, f"=SUMIFS(C:C,A:A,E{r},B:B,F$1)")
    return {"Sheet1": table}, {"Sheet1": golden}


def found_or_dash(rng):
    codes = rng.sample(range(100, 999), 7)
    listed = [["Code", "Name"]] + [[code, rng.choice(NAMES)] for code in codes]
    asked = rng.sample(codes, 4) + [1000 + rng.randint(0, 99)]
    rng.shuffle(asked)
    table = [["Code", "Name"]] + [[code] for code in asked]
    golden = copied(table)
    for r in range(2, len(table) + 1):
        put(golden, r, 2, f"=IFERROR(INDEX(Codes!B:B,MATCH(A{r},Codes!A:A,0)),"
                          '"-")')
    return ({"Questions": table, "Codes": listed},
            {"Questions": golden, "Codes": copied(listed)})


def new_rate(rng):
    def rows(rate):
        return [["Rate", rate], [], ["Goods", "Net", "Gross"]] + [
            [item, net, f"=ROUND(B{r}*(1+$B$1),2)"]
            for r, (item, net) in enumerate(goods, 4)] + [
            ["Total", f"=SUM(B4:B{len(goods) + 3})",
             f"=SUM(C4:C{len(goods) + 3})"]]

    goods = [(item, rng.randint(100, 9999) / 10)
             for item in rng.sample(GOODS, rng.randint(4, 6))]
    old, new = rng.sample([0.05, 0.07, 0.1, 0.19, 0.2, 0.25], 2)
    table, golden = rows(old), rows(new)
    for each in (table, golden):
        put(each, 1, 4, "New rate")
        put(each, 1, 5, new)
    return {"Invoice": table}, {"Invoice": golden}


TASKS = [
    Task("formulas-lines", CELL, "Write formulas: in column D pieces times price for "
         "each row, and below the last row the sum of column D.", "'Sheet1'!D2:D9",
         line_totals, [OPEN, """\
last = sheet.max_row
for row in range(2, last + 1):
    sheet.cell(row, 4, f'=B{row}*C{row}')
sheet.cell(last + 1, 4, f'=SUM(D2:D{last})')
""" + SAVE]),
    Task("formulas-sumifs", CELL, "In F2:F5 write formulas for the sales of each "
         "region in the year of F1.", "F2:F5", sums_of_regions, [OPEN + """\
for row in range(2, 6):
    sheet.cell(row, 6, f'=SUMIFS(C:C,A:A,E{row},B:B,$F$1)')
""" + SAVE], [OPEN + """\
for row in range(2, 6):
    sheet.cell(row, 6, f'=SUMIFS(C:C,A:A,E{row})')
""" + SAVE]),
    Task("formulas-found", CELL, "Write formulas in column B of the sheet Questions "
         "that find the name of each code in the sheet Codes, and '-' where there "
         "is none.", "'Questions'!B2:B6", found_or_dash, [OPEN + """\
for row in range(2, sheet.max_row + 1):
    sheet.cell(row, 2, f'=IFERROR(VLOOKUP(A{row},Codes!A:B,2,FALSE),"-")')
""" + SAVE], [OPEN + """\
for row in range(2, sheet.max_row + 1):
    sheet.cell(row, 2, f'=VLOOKUP(A{row},Codes!A:B,2,FALSE)')
""" + SAVE], answer_sheet="Questions"),
    Task("formulas-rate", SHEET, "Put the new rate of E1 in place of the rate in B1, "
         "so that all amounts follow; keep the formulas.", "'Invoice'!A1:C10",
         new_rate, [OPEN + "sheet['B1'] = sheet['E1'].value\n" + SAVE],
         answer_sheet="Invoice"),
]
