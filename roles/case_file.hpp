#pragma once
/// The case at hand: the facts a task states, the records the tools have shown
/// and which of them the task is about. The procedural agent fills arguments
/// from it; the reflector uses it to turn a concrete call into one that fits
/// other cases (`line_id=<line_id>`). Knows no domain: identity comes from
/// values that the task states and a record repeats. Owned by one rollout.

#include "roles/call_text.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// "phone number: 555-0100" in an instruction.
struct stated_fact {
  std::string key;
  std::string value;
};

class case_file {
public:
  explicit case_file(std::string_view instruction);

  /// Takes in the answer of a successful call.
  void observe(std::string_view observation);

  /// Statements that are not about identity: sentences, and facts whose value
  /// no record repeats ("current location: abroad").
  std::vector<std::string> contexts() const;

  /// The call with entity arguments replaced by placeholders.
  call_text generalise(std::string_view tool, const json& arguments) const;

  /// The value for a placeholder in this case: of a record in focus, of the
  /// task's facts, or the last one listed. Null when there is none.
  json fill(std::string_view placeholder) const;

  /// Arguments of a document's call for this case; nothing when a placeholder
  /// has no value yet.
  std::optional<json> fill(const call_text& call) const;

  /// True when every record value in the arguments belongs to a record in
  /// focus: look-ups of other people's records teach nothing about the task.
  bool about_focus(const json& arguments) const;

  /// Values that could fit a parameter, best first. `plausible` keeps to the
  /// best source (for looking); otherwise all sources count (for trying).
  std::vector<json> candidates(const tool_parameter& parameter,
                               bool plausible) const;

private:
  struct known_value {
    std::string key; ///< singular: "line_ids" is stored as "line_id"
    std::string value;
  };

  void observe_record(const json& record);
  void observe_text(std::string_view text);
  std::string placeholder_of(std::string_view parameter,
                             const std::string& value) const;
  void add_numbers(const tool_parameter& parameter,
                   std::vector<json>& out) const;
  void add_records(std::string_view name, std::vector<json>& out) const;
  void add_listed(const tool_parameter& parameter, bool plausible,
                  std::vector<json>& out) const;

  std::string instruction_;
  std::vector<std::string> sentences_;
  std::vector<stated_fact> facts_;
  std::vector<known_value> values_; ///< of all records, in order of appearance
  std::vector<known_value> focus_;  ///< ids of records in focus
  std::set<std::string> seen_;      ///< record values, for quick look-up
  std::set<std::pair<std::string, std::string>> known_; ///< values_, likewise
  std::set<std::string>
      observed_; ///< answers taken in: the same teaches nothing
  std::map<std::string, std::vector<std::string>> lists_; ///< lead -> values
  std::vector<std::string> list_order_;                   ///< leads by age
};

} // namespace brewery
