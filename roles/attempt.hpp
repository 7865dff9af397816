#pragma once
/// The working state of one procedural attempt: calls made, what each look last
/// showed, which guidance has been read. Owned by one rollout. The policy that
/// uses it is in procedural_agent.cpp.

#include "roles/case_file.hpp"
#include "roles/options.hpp"
#include "roles/roles.hpp"
#include "roles/rule_text.hpp"

#include <functional>
#include <map>
#include <set>

namespace brewery {

using guidance_reader =
    std::function<std::shared_ptr<const guidance>(const document&)>;

class attempt {
public:
  attempt(const task_info& task, environment& env, librarian& library,
          const agent_options& options, const retrieval_options& retrieval,
          guidance_reader read);

  /// Calls a tool unless the budget is spent (then false). Answers of looks
  /// are remembered and trigger a consultation.
  bool call(const tool_spec& tool, const json& arguments,
            std::string_view reason);

  /// Every reading tool that the case can fill. The first time widely (to find
  /// the records the task is about), later only what is about them and stale.
  /// `kit` limits it to one requestor's tools: a change is most likely visible
  /// where it was made. Looks that only repeat another one are left out.
  void look_around(std::string_view kit = {});

  /// Looks again with one call in text form; false if it cannot be made.
  bool look(const std::string& look_text);

  /// The last answer to a look contains this line (whatever its age).
  [[nodiscard]] bool shows(const condition& item) const;
  [[nodiscard]] bool fresh(const std::string& look_text) const;
  [[nodiscard]] bool says(const std::vector<std::string>& clauses) const;

  [[nodiscard]] std::uint32_t calls_left() const;
  [[nodiscard]] const tool_spec* find_tool(std::string_view name) const;
  [[nodiscard]] const case_file& facts() const { return case_; }

  /// Guidance of every document consulted so far, oldest first.
  [[nodiscard]] const std::vector<std::shared_ptr<const guidance>>&
  guides() const {
    return guides_;
  }

  /// Calls that already changed something by exploration or rule, as text.
  std::set<std::string> tried;

  trajectory take() { return {std::move(steps_)}; }
  environment& env() { return env_; }

private:
  struct view {
    std::vector<std::string> lines;
    std::uint32_t epoch = 0; ///< changing calls made before it
  };

  void consult(std::string_view query);
  bool look_with(const tool_spec& tool, bool widely);
  [[nodiscard]] bool repeats_another(const std::string& look_text) const;

  const task_info& task_;
  environment& env_;
  librarian& library_;
  const agent_options& options_;
  const retrieval_options& retrieval_;
  guidance_reader read_;
  case_file case_;
  std::vector<trajectory_step> steps_;
  std::map<std::string, view> views_;
  std::set<std::string> looked_; ///< concrete reading calls made at all
  std::vector<std::shared_ptr<const guidance>> guides_;
  std::set<const guidance*> known_guides_;
  std::set<std::string> queries_;
  std::uint32_t epoch_ = 0;
  bool looked_widely_ = false;
};

} // namespace brewery
