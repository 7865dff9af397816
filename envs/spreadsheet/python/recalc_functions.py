"""Which newer functions this LibreOffice computes, and how a file has to spell
them: found by trying, so that what an agent is told is true of the office that
will recalculate its workbooks.
"""

from __future__ import annotations

import io
import zipfile
from typing import Dict, List, Tuple
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import workbook_guard

# Functions that Excel added after 2007, each with arguments that give no error.
# Numbers are in A1:A9 and B1:B9, texts in C1:C9. The prefix is `_xlfn.` where
# none is said; {} stands for the names of variables, which have one too.
_CALLS = """
ACOT(2) ACOTH(2) AGGREGATE(9,6,A1:A9) ARABIC("XII") ARRAYTOTEXT(A1:A3)
BASE(7,2) BETA.DIST(0.4,2,3,TRUE,0,1) BETA.INV(0.4,2,3,0,1)
BINOM.DIST(2,5,0.5,TRUE) BINOM.DIST.RANGE(5,0.5,2) BINOM.INV(5,0.5,0.4)
BITAND(5,3) BITLSHIFT(1,2) BITOR(5,3) BITRSHIFT(4,1) BITXOR(5,3)
BYCOL(A1:B3,_xlfn.LAMBDA({}x,SUM({}x))) BYROW(A1:B3,_xlfn.LAMBDA({}x,SUM({}x)))
CEILING.MATH(2.3) CEILING.PRECISE(2.3) CHISQ.DIST(2,3,TRUE) CHISQ.DIST.RT(2,3)
CHISQ.INV(0.4,3) CHISQ.INV.RT(0.4,3) CHISQ.TEST(A1:A9,B1:B9)
CHOOSECOLS(A1:B3,1) CHOOSEROWS(A1:B3,1) COMBINA(4,2) CONCAT(C1:C3)
CONFIDENCE.NORM(0.05,2,9) CONFIDENCE.T(0.05,2,9) COT(1) COTH(1)
COVARIANCE.P(A1:A9,B1:B9) COVARIANCE.S(A1:A9,B1:B9) CSC(1) CSCH(1) DAYS(9,2)
DECIMAL("101",2) DROP(A1:A3,1) ENCODEURL("a") ERF.PRECISE(1) ERFC.PRECISE(1)
EXPAND(A1:A2,3) EXPON.DIST(1,2,TRUE) F.DIST(1,2,3,TRUE) F.DIST.RT(1,2,3)
F.INV(0.4,2,3) F.INV.RT(0.4,2,3) F.TEST(A1:A9,B1:B9)
_xlws.FILTER(A1:A9,B1:B9>3) FLOOR.MATH(2.3) FLOOR.PRECISE(2.3)
FORECAST.ETS(10,B1:B9,A1:A9) FORECAST.LINEAR(10,A1:A9,B1:B9) FORMULATEXT(A10)
GAMMA(3) GAMMA.DIST(1,2,3,TRUE) GAMMA.INV(0.4,2,3) GAMMALN.PRECISE(3) GAUSS(1)
HSTACK(A1,B1) HYPGEOM.DIST(1,4,5,10,TRUE) IFNA(1,2) IFS(A1=1,5) IMCOSH("1+i")
IMCOT("1+i") IMCSC("1+i") IMCSCH("1+i") IMSEC("1+i") IMSECH("1+i")
IMSINH("1+i") IMTAN("1+i") ISFORMULA(A10) ISOWEEKNUM(45000)
LET({}x,2,{}x+1) LOGNORM.DIST(1,2,3,TRUE) LOGNORM.INV(0.4,2,3)
MAKEARRAY(2,2,_xlfn.LAMBDA({}r,{}c,{}r+{}c)) MAP(A1:A3,_xlfn.LAMBDA({}x,{}x+1))
MAXIFS(A1:A9,B1:B9,">3") MINIFS(A1:A9,B1:B9,">3") MODE.MULT(B1:B9)
MODE.SNGL(B1:B9) MUNIT(2) NEGBINOM.DIST(2,3,0.4,TRUE) NORM.DIST(1,0,1,TRUE)
NORM.INV(0.4,0,1) NORM.S.DIST(1,TRUE) NORM.S.INV(0.4) NUMBERVALUE("1.5",".")
PDURATION(0.1,1,2) PERCENTILE.EXC(A1:A9,0.4) PERCENTILE.INC(A1:A9,0.4)
PERCENTRANK.EXC(A1:A9,3) PERCENTRANK.INC(A1:A9,3) PERMUTATIONA(4,2) PHI(1)
POISSON.DIST(1,2,TRUE) QUARTILE.EXC(A1:A9,1) QUARTILE.INC(A1:A9,1)
RANDARRAY(1,1) RANK.AVG(3,A1:A9) RANK.EQ(3,A1:A9)
REDUCE(0,A1:A3,_xlfn.LAMBDA({}a,{}x,{}a+{}x)) REGEXEXTRACT("ab1","[0-9]")
REGEXREPLACE("ab1","[0-9]","c") REGEXTEST("ab1","[0-9]") RRI(2,1,4)
SCAN(0,A1:A3,_xlfn.LAMBDA({}a,{}x,{}a+{}x)) SEC(1) SECH(1) SEQUENCE(3)
SHEET() SHEETS() SKEW.P(B1:B9) _xlws.SORT(A1:A9) SORTBY(A1:A9,B1:B9)
STDEV.P(A1:A9) STDEV.S(A1:A9) SWITCH(1,1,5) T.DIST(1,5,TRUE) T.DIST.2T(1,5)
T.DIST.RT(1,5) T.INV(0.4,5) T.INV.2T(0.4,5) T.TEST(A1:A9,B1:B9,2,1)
TAKE(A1:A3,1) TEXTAFTER("a-b","-") TEXTBEFORE("a-b","-")
TEXTJOIN(",",TRUE,C1:C3) TEXTSPLIT("a-b","-") TOCOL(A1:B3) TOROW(A1:B3)
UNICHAR(65) UNICODE("A") UNIQUE(B1:B9) VALUETOTEXT(1) VAR.P(A1:A9) VAR.S(A1:A9)
VSTACK(A1,B1) WEIBULL.DIST(1,2,3,TRUE) WRAPCOLS(A1:A4,2) WRAPROWS(A1:A4,2)
XLOOKUP(3,A1:A9,B1:B9) XMATCH(3,A1:A9) XOR(TRUE,FALSE) Z.TEST(A1:A9,4)
NETWORKDAYS.INTL(45000,45010) WORKDAY.INTL(45000,5)
""".split()

CELLS = [(number, value, text) for number, value, text in zip(
    range(1, 10), (2, 7, 1, 8, 2, 8, 1, 8, 2), "abcdefghi")]
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_FIRST_ROW = 11  # below what the calls refer to


def spellings() -> List[Tuple[str, str, str]]:
    """Of each function its name, its formula written bare, and as files have
    to have it: the call of the table with the prefixes."""
    found = []
    for call in _CALLS:
        name = call.split("(")[0]
        bare = call.replace("_xlws.", "").replace("_xlfn.", "").replace("{}", "")
        found.append((name.replace("_xlws.", ""), bare,
                      "_xlfn." + call.replace("{}", "_xlpm.")))
    return found


def workbook() -> bytes:
    """Each function twice in a row, bare and with the prefix."""
    rows = [f'<row r="{at}"><c r="A{at}"><v>{number}</v></c><c r="B{at}">'
            f'<v>{value}</v></c><c r="C{at}" t="str"><v>{text}</v></c></row>'
            for at, (number, value, text) in enumerate(CELLS, 1)]
    rows.append('<row r="10"><c r="A10"><f>1+1</f></c></row>')
    for at, (_, bare, prefixed) in enumerate(spellings(), _FIRST_ROW):
        rows.append(f'<row r="{at}"><c r="A{at}"><f>{escape(bare)}</f></c>'
                    f'<c r="B{at}"><f>{escape(prefixed)}</f></c></row>')
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", f"""<Types
 xmlns="{_PACKAGE}/content-types"><Default Extension="rels"
 ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml"
 ContentType="{_TYPE}.worksheet+xml"/></Types>""")
        archive.writestr("_rels/.rels", _relation("officeDocument",
                                                  "xl/workbook.xml"))
        archive.writestr("xl/workbook.xml", f"""<workbook xmlns="{_MAIN}"
 xmlns:r="{_OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets>
</workbook>""")
        archive.writestr("xl/_rels/workbook.xml.rels",
                         _relation("worksheet", "worksheets/sheet1.xml"))
        archive.writestr("xl/worksheets/sheet1.xml", f'<worksheet xmlns="{_MAIN}'
                         f'"><sheetData>{"".join(rows)}</sheetData></worksheet>')
    return made.getvalue()


def read(recalculated: bytes) -> Dict[str, List[str]]:
    """The names by what they need: `prefixed` compute only with the prefix,
    `unknown` not at all. Those that compute bare need no word."""
    archive = workbook_guard.open_archive(recalculated)
    sheet = ElementTree.fromstring(workbook_guard.read_part(
        archive, "xl/worksheets/sheet1.xml"))
    computed = {cell.get("r") for cell in sheet.iter(f"{{{_MAIN}}}c")
                if cell.get("t") != "e"
                and cell.findtext(f"{{{_MAIN}}}v") is not None}
    prefixed, unknown = [], []
    for at, (name, _, spelled) in enumerate(spellings(), _FIRST_ROW):
        if f"A{at}" in computed:
            continue
        if f"B{at}" in computed:
            prefixed.append(spelled.split("(")[0])
        else:
            unknown.append(name)
    return {"prefixed": prefixed, "unknown": unknown}


def _relation(kind: str, target: str) -> str:
    return (f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship '
            f'Id="rId1" Type="{_OFFICE}/{kind}" Target="{target}"/>'
            '</Relationships>')
