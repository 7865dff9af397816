#include "roles/model/document_schema.hpp"

namespace brewery {

namespace {

const document_part when_to_use{
    "**When to use**", "the situations, requests and states that this is for, "
                       "in the words in which tasks speak of them; and when it "
                       "is not"};
const document_part example{"### Example",
                            "one or more short cases: the task, then what is "
                            "done in order"};

std::vector<document_part> procedure(bool with_why) {
  std::vector<document_part> out{when_to_use};
  if (with_why)
    out.push_back({"**Why to use it**",
                   "what is gained by it and what goes wrong without it"});
  out.push_back({"### How to perform",
                 "the procedure step by step, with exact tools, parameters "
                 "and values, and how to check each step"});
  out.push_back({"### Additional actions",
                 "exceptions, related things to do or to avoid, what to tell "
                 "whom, what to do when a step fails"});
  out.push_back(example);
  return out;
}

std::vector<document_part> of_spreadsheets() {
  return {when_to_use,
          {"### Approaches",
           "ways to do it, each with the exact code or formula, and which to "
           "take for which layout of the data"},
          {"### Edge cases",
           "headers, blanks, types, duplicates, ranges and tables that are not "
           "as one expects, and what to do then"},
          {"### Quality checks",
           "what to look at in the saved workbook before the answer is given, "
           "and what shows that it is wrong"},
          example};
}

} // namespace

const std::vector<document_part>& document_parts(std::string_view benchmark) {
  static const auto desktop = procedure(false);
  static const auto spreadsheets = of_spreadsheets();
  static const auto others = procedure(true);
  if (benchmark.starts_with("osworld")) return desktop;
  if (benchmark == "spreadsheet") return spreadsheets;
  return others;
}

} // namespace brewery
