/// Writes a user's scenario as one text, in the reference's layout, because the
/// simulated user's answers depend on it.

#include "base/text.hpp"
#include "envs/tau2/data/task_readers.hpp"

#include <array>

namespace brewery::tau2 {

namespace {

/// Puts a tab before each line that is not blank.
std::string indented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line =
        text.substr(0, end == std::string_view::npos ? end : end + 1);
    if (!trim(line).empty()) out += '\t';
    out += line;
    text.remove_prefix(line.size());
  }
  return out;
}

struct scenario_field {
  const char* name;
  const char* title;
  bool required;
};

/// These follow the domain, in this order.
constexpr std::array<scenario_field, 4> scenario_fields{{
    {"reason_for_call", "Reason for call", true},
    {"known_info", "Known info", false},
    {"unknown_info", "Unknown info", false},
    {"task_instructions", "Task instructions", true},
}};

result<std::string> instructions_text(const json& value,
                                      const task_place& where,
                                      std::string& subject) {
  if (value.is_string()) return subject = value.get<std::string>();
  if (!value.is_object()) return where.fail("must be a string or an object");
  std::string domain;
  if (auto ok = read_text(value, "domain", where, domain); !ok)
    return ok.error();
  std::string text = "Domain: " + domain;
  for (const auto& field : scenario_fields) {
    std::string part;
    if (auto ok = read_text(value, field.name, where, part, field.required);
        !ok)
      return ok.error();
    if (value_of(value, field.name) == nullptr) continue;
    text += std::string{"\n"} + field.title + ":\n" + indented(part);
    if (&field == scenario_fields.data()) subject = part;
  }
  return text;
}

} // namespace

result<void> read_scenario(const json& value, const task_place& where,
                           task& out) {
  if (!value.is_object()) return where.fail("must be an object");
  std::optional<std::string> persona;
  if (auto ok = read_text(value, "persona", where, persona); !ok)
    return ok.error();
  const json* instructions = value_of(value, "instructions");
  if (instructions == nullptr)
    return where.at("instructions").fail("is missing");
  const auto text =
      instructions_text(*instructions, where.at("instructions"), out.subject);
  if (!text) return text.error();
  out.scenario.clear();
  if (persona) out.scenario = "Persona:\n" + indented(*persona) + "\n";
  out.scenario += "Instructions:\n" + indented(*text);
  return {};
}

} // namespace brewery::tau2
