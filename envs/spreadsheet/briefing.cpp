#include "envs/spreadsheet/spreadsheet_environment.hpp"

#include <fmt/format.h>

namespace brewery::spreadsheet {

namespace {

/// The first LibreOffice with XLOOKUP, FILTER, SORT, UNIQUE, LET. In earlier
/// ones, a formula with one of them shows #NAME?.
constexpr int dynamic_functions_since = 25;

bool knows_dynamic_functions(const std::string& office) {
  return std::atoi(office.c_str()) >= dynamic_functions_since;
}

} // namespace

std::string briefing_text(const play_options& how, const kernel_facts& kernels,
                          const std::string& office) {
  const bool dynamic = knows_dynamic_functions(office);
  return fmt::format(
      R"(You solve a task on a spreadsheet with Python code.

Files: the workbook is input.xlsx in the current directory. Save the whole workbook, with the answer in it, as output.xlsx in the same directory. Use these relative names, as the same code may be run on other workbooks of the same form; leave everything that the task does not ask to change as it is.

Code: the tool python runs it, at most {} times, each at most {} s. Python {}, openpyxl {}, pandas {}, numpy {}; no network, nothing outside the current directory. Variables and files are kept from call to call. Look at the workbook first; check output.xlsx at the end (openpyxl.load_workbook with data_only=True shows computed values).

Formulas: after each call, every .xlsx file that changed and holds formulas is recalculated by LibreOffice {} and saved with the values. What counts are the values in the cells to answer, whether written as values or computed by formulas.
- Functions newer than Excel 2010 need their prefix in the file: _xlfn.IFS, _xlfn.TEXTJOIN, _xlfn.MAXIFS, _xlfn.CONCAT{}. Without it they show #NAME?.
- {}
- A formula fills its own cell only: nothing spills into the cells beside it. Array formulas must be written as such (openpyxl.worksheet.formula.ArrayFormula), or avoided.
- No VBA and no macros are run; do with Python what a macro would do.

Answer with words instead of a call when you are done.)",
      how.turns, how.cells.timeout.count() / 1000, kernels.python,
      kernels.openpyxl, kernels.pandas, kernels.numpy, office,
      dynamic ? ", _xlfn.XLOOKUP, _xlfn._xlws.FILTER, _xlfn._xlws.SORT" : "",
      dynamic ? "LAMBDA, BYROW, VSTACK, TAKE, TOCOL, TEXTSPLIT and TEXTBEFORE "
                "are not known."
              : "XLOOKUP, FILTER, SORT, UNIQUE, SEQUENCE, LET, LAMBDA and "
                "later ones are not known.");
}

std::string instruction_text(const sheet_task& task) {
  auto out = task.instruction;
  if (!task.type.empty()) out += "\n\nKind of task: " + task.type;
  out += "\nCells to answer: " + task.position;
  if (!task.sheet.empty() && task.position.find('!') == std::string::npos)
    out += "\nSheet: " + task.sheet;
  return out;
}

} // namespace brewery::spreadsheet
