#pragma once
/// What the procedural roles know of a task: the facts that its instruction
/// states, the records that tools have shown, and which of these the task is
/// about (in focus). The agent fills arguments from it. The reflector uses it
/// to generalise a call to other tasks (`line_id=<line_id>`). Knows no domain:
/// a record is in focus if it repeats values that the task states. Owned by one
/// rollout.

#include "roles/procedural/call_text.hpp"
#include "roles/procedural/record_picks.hpp"
#include "roles/procedural/stated_amounts.hpp"
#include "roles/procedural/status_lines.hpp"

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

class task_facts {
public:
  /// `parsed` outlives it.
  task_facts(std::string_view instruction, const observation_cache& parsed);

  /// Adds the answer of a successful call.
  void observe(std::string_view observation);

  /// Statements that identify no record: sentences, and facts whose value is in
  /// no record ("current location: abroad").
  std::vector<std::string> contexts() const;

  /// The call with placeholders for arguments that identify a record or repeat
  /// an amount that the task states.
  call_text generalise(std::string_view tool, const json& arguments) const;

  /// The same for a grader's check. A record has one name in it, whatever its
  /// state is now.
  call_text generalise_check(const call_text& check) const;

  /// The status lines of an answer, with placeholders for amounts that the task
  /// states.
  std::vector<std::string> lines_of(std::string_view observation) const;

  /// The value of a placeholder: from a record in focus, else from the task's
  /// facts, else the last one listed. Null if there is none.
  json fill(std::string_view placeholder) const;

  /// The arguments of a document's call for this task. Empty if a placeholder
  /// has no value yet.
  std::optional<json> fill(const call_text& call) const;

  /// True if every record value in the arguments belongs to a record in focus.
  /// Looks at other records say nothing about the task.
  bool about_focus(const json& arguments) const;

  /// Values that could fit a parameter, best first. `plausible` limits them to
  /// the best source (for observations); otherwise all sources count (for
  /// exploration).
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
  void add_numbers(const tool_parameter& parameter, bool plausible,
                   std::vector<json>& out) const;
  void add_records(std::string_view name, std::vector<json>& out) const;
  void add_listed(const tool_parameter& parameter, bool plausible,
                  std::vector<json>& out) const;

  const observation_cache& parsed_;
  std::string instruction_;
  stated_amounts amounts_;
  record_picks picks_;
  std::vector<std::string> sentences_;
  std::vector<stated_fact> facts_;
  std::vector<known_value> values_; ///< of all records, in order of appearance
  std::vector<known_value> focus_;  ///< ids of records in focus
  std::set<std::string> seen_;      ///< record values, for fast look-up
  /// The pairs of values_, for fast look-up.
  std::set<std::pair<std::string, std::string>> known_;
  std::set<std::string>
      observed_; ///< answers added so far; repeated ones are skipped
  std::map<std::string, std::vector<std::string>> lists_; ///< lead -> values
  std::vector<std::string> list_order_;                   ///< leads by age
};

} // namespace brewery
