#include "roles/document_schema.hpp"

namespace brewery {

namespace {

std::vector<document_part> parts(bool with_why) {
  std::vector<document_part> out;
  out.push_back({"**When to use**",
                 "the situations, requests and states that this is "
                 "for, in the words in which tasks speak of them; and "
                 "when it is not"});
  if (with_why)
    out.push_back({"**Why to use it**",
                   "what is gained by it and what goes wrong without it"});
  out.push_back({"### How to perform",
                 "the procedure step by step, with exact tools, parameters "
                 "and values, and how to check each step"});
  out.push_back({"### Additional actions",
                 "exceptions, related things to do or to avoid, what to tell "
                 "whom, what to do when a step fails"});
  out.push_back({"### Example", "one or more short cases: the task, then what "
                                "is done in order"});
  return out;
}

} // namespace

const std::vector<document_part>& document_parts(std::string_view benchmark) {
  static const auto four = parts(false);
  static const auto five = parts(true);
  return benchmark.starts_with("osworld") ? four : five;
}

} // namespace brewery
