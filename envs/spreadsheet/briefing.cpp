#include "envs/spreadsheet/spreadsheet_environment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace brewery::spreadsheet {

namespace {

constexpr std::string_view usual_prefix = "_xlfn.";
constexpr std::string_view let_name = "_xlfn.LET";

/// Names that only need the usual prefix are listed without it: it would be
/// half of the text.
std::string functions_text(const office_functions& functions) {
  std::vector<std::string> usual, others;
  bool has_let = false;
  for (const auto& name : functions.prefixed) {
    has_let |= name == let_name;
    const auto bare = name.substr(std::min(usual_prefix.size(), name.size()));
    if (name.starts_with(usual_prefix) && !bare.starts_with('_'))
      usual.push_back(bare);
    else
      others.push_back(name);
  }
  std::string out;
  if (!usual.empty())
    out += fmt::format(
        "- In the file, these functions need the prefix _xlfn., as in "
        "=_xlfn.{}(...), and show an error without it: {}.{} All older "
        "functions are written without a prefix.\n",
        usual.front(), fmt::join(usual, ", "),
        has_let ? " The variables of LET need _xlpm., as in "
                  "=_xlfn.LET(_xlpm.x,2,_xlpm.x+1)."
                : "");
  if (!others.empty())
    out += fmt::format("- Other prefixes: {}.\n", fmt::join(others, ", "));
  if (!functions.unknown.empty())
    out += fmt::format("- Not known, with any prefix: {}.\n",
                       fmt::join(functions.unknown, ", "));
  return out;
}

/// ArrayFormula came with openpyxl 3.1.
std::string array_text(const std::string& openpyxl) {
  int major = 0, minor = 0;
  (void)std::sscanf(openpyxl.c_str(), "%d.%d", &major, &minor);
  if (std::pair{major, minor} >= std::pair{3, 1})
    return "ws['C1'] = openpyxl.worksheet.formula.ArrayFormula('C1', "
           "'=SUM(A1:A9*B1:B9)')";
  return "ws['C1'] = '=SUM(A1:A9*B1:B9)'; ws.formula_attributes['C1'] = "
         "{'t': 'array', 'ref': 'C1'}";
}

} // namespace

std::string briefing_text(const play_options& how, const kernel_facts& kernels,
                          const std::string& office,
                          const office_functions& functions) {
  return fmt::format(
      R"(You solve a task on a spreadsheet with Python code.

Files: the workbook is input.xlsx in the current directory. Save the whole workbook, with the answer in it, as output.xlsx in the same directory. Use these relative names, as the same code may be run on other workbooks of the same form.

Task: it names its kind and the cells to answer. Cell-Level Manipulation: the answer is the values of exactly these cells. Sheet-Level Manipulation: the answer concerns the sheet as a whole, and these cells are the maximum range to modify: what the task does not ask to change in them stays as it is, and cells may stay empty. Nothing outside of these cells needs to be changed. Their values are compared; colours and formats are not.

Code: the tool python runs it, at most {} times, each at most {} s. Python {}, openpyxl {}, pandas {}, numpy {}; no network, nothing outside the current directory. Variables and files are kept from call to call. Look at the workbook first; check output.xlsx at the end (openpyxl.load_workbook with data_only=True shows computed values).

Formulas: after each call, every .xlsx file that changed and holds formulas is recalculated by LibreOffice {} and saved with the values. What counts are the values, whether written as such or computed by formulas.
{}- A formula fills its own cell only: nothing spills into the cells beside it.
- A formula that computes with whole ranges, cell by cell, must be an array formula: {}
- No VBA and no macros are run; do with Python what a macro would do.

Answer with words instead of a call when you are done.)",
      how.turns, how.cells.timeout.count() / 1000, kernels.python,
      kernels.openpyxl, kernels.pandas, kernels.numpy, office,
      functions_text(functions), array_text(kernels.openpyxl));
}

std::string first_rows_code(std::uint32_t rows) {
  // As the benchmark's authors do it; leaves no variable behind.
  return fmt::format(R"(def _first_rows():
    import pandas
    with pandas.ExcelFile("input.xlsx") as book:
        for name in book.sheet_names:
            print("Sheet Name:", name)
            print(book.parse(name).head({}).to_string())
            print("-" * 50)
_first_rows()
del _first_rows)",
                     rows);
}

std::string first_rows_text(std::uint32_t rows, const std::string& shown) {
  return fmt::format("\n\nThe first {} rows of each sheet of input.xlsx, as "
                     "pandas reads them (the row above them is taken for the "
                     "names of columns):\n{}",
                     rows, shown);
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
