#include "envs/spreadsheet/spreadsheet_environment.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::spreadsheet;

namespace {

std::string briefing_on(const std::string& openpyxl) {
  return briefing_text({}, {"x", {}, "3.11", openpyxl, "1.5", "1.2"},
                       "25.2.3.2",
                       {{"_xlfn.STDEV.S", "_xlfn._xlws.SORT", "_xlfn.LET"},
                        {"VSTACK", "TOCOL"}});
}

bool says(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("the briefing names the engine and what it cannot do") {
  const auto text = briefing_on("3.0.9");
  for (const auto* word :
       {"LibreOffice 25.2.3.2", "at most 12 times", "nothing spills", "No VBA",
        "input.xlsx", "output.xlsx", "Cell-Level", "maximum range to modify"})
    CHECK(says(text, word));
}

TEST_CASE("the briefing spells functions as the office wants them") {
  const auto text = briefing_on("3.0.9");
  CHECK(says(text, "as in =_xlfn.STDEV.S(...)"));
  CHECK(says(text, "without it: STDEV.S, LET. The variables of LET"));
  CHECK(says(text, "Other prefixes: _xlfn._xlws.SORT."));
  CHECK(says(text, "Not known, with any prefix: VSTACK, TOCOL."));
}

TEST_CASE("the briefing writes array formulas as the openpyxl at hand can") {
  CHECK(says(briefing_on("3.0.9"), "ws.formula_attributes["));
  CHECK_FALSE(says(briefing_on("3.0.9"), "ArrayFormula"));
  CHECK(says(briefing_on("3.1.5"), "worksheet.formula.ArrayFormula("));
}
