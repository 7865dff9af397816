#pragma once
/// The working state of one procedural attempt: the calls made, the last answer
/// to each observation (a call of a reading tool), and the guidance read from
/// documents. Owned by one rollout. The policies that use it are in
/// procedural_agent.cpp and roles/muse/procedural_attempt.cpp.

#include "base/rng.hpp"
#include "roles/options.hpp"
#include "roles/procedural/rule_reading.hpp"
#include "roles/procedural/task_facts.hpp"
#include "roles/roles.hpp"

#include <map>
#include <optional>
#include <set>

namespace brewery {

class attempt {
public:
  enum class finish { unknown, reached, missed };

  attempt(const task_info& task, environment& env, retrieval_session& retrieval,
          const agent_options& options, const retrieval_options& queries,
          const guidance_cache& rules, const observation_cache& parsed);

  /// Calls a tool. Returns false, without a call, if no calls are left. Stores
  /// the answers to observations and queries the retrieval session with them.
  bool call(const tool_spec& tool, const json& arguments,
            std::string_view reason);

  /// Calls every reading tool whose arguments can be filled. The first time, it
  /// calls widely, to find the records that the task is about. Later, it
  /// repeats only observations that are about these records and stale. `kit`
  /// limits it to the tools of one requestor, because a change is most likely
  /// visible where it was made. Looks that show the same as another observation
  /// are skipped.
  void observe_all(std::string_view kit = {});

  /// Repeats one observation, given as text. Returns false if the call cannot
  /// be made.
  bool observe(const std::string& call_text);

  /// Whether the task and the last answers are such as the rule is for.
  [[nodiscard]] bool applies(const rule& item) const;

  /// Verifies that the rule applies with fresh observations, then makes its
  /// calls. True if all were made.
  bool follow(const rule& item);

  /// Calls the first of the tools for which there are arguments that were not
  /// tried. Null if there is none, or no calls are left.
  const tool_spec* try_one_of(const std::vector<const tool_spec*>& tools,
                              rng& draw);

  /// Repeats stale observations that rules depend on. True if there were any.
  bool refresh_conditions();

  /// Whether a goal of the guidance is reached, by fresh observations. Unknown:
  /// no goal speaks of this task, or none could be looked at.
  finish finished();

  /// Retrieves with what all looks report now (`when_stuck`). True if it
  /// brought rules or goals that were not read before.
  bool ask_when_stuck();

  /// Reads the guidance of documents that were come by otherwise than with the
  /// retrieval session.
  void read(const std::vector<const document*>& shown) { read_.add(shown); }

  /// What the last answer to each observation showed, by its call as text.
  template <class F>
  void each_view(F f) const {
    for (const auto& [look, shown] : views_)
      f(look, shown.lines);
  }

  /// The steps made so far.
  [[nodiscard]] const std::vector<trajectory_step>& steps() const {
    return steps_;
  }

  /// True if the last answer to the observation contains this line, however old
  /// it is.
  [[nodiscard]] bool shows(const condition& item) const;
  [[nodiscard]] bool fresh(const std::string& call_text) const;
  [[nodiscard]] bool says(const std::vector<std::string>& clauses) const;

  /// None either if a retrieval failed.
  [[nodiscard]] std::uint32_t calls_left() const;
  [[nodiscard]] const tool_spec* find_tool(std::string_view name) const;
  [[nodiscard]] const task_facts& facts() const { return facts_; }

  /// Arguments to try a tool with: mostly values of the records in focus,
  /// sometimes any that could fit. Empty if a parameter has none.
  [[nodiscard]] std::optional<json> random_arguments(const tool_spec& tool,
                                                     rng& draw) const;

  /// The guidance of every document retrieved so far, oldest first.
  [[nodiscard]] const std::vector<std::shared_ptr<const guidance>>&
  guides() const {
    return read_.guides();
  }

  /// The calls of `follow` and `try_one_of`, as text, since the last
  /// `forget_made`.
  [[nodiscard]] const std::vector<std::string>& made() const { return made_; }
  void forget_made() { made_.clear(); }

  /// The next choice is random: what comes now differs from trial to trial.
  void draws() {
    if (before_draw_ == never_drew) before_draw_ = retrieval_.retrievals();
  }

  /// The error is that of a retrieval.
  result<trajectory> take() {
    if (failure_) return *failure_;
    trajectory out{std::move(steps_)};
    out.before_draw = before_draw_;
    return out;
  }
  environment& env() { return env_; }

private:
  struct view {
    std::vector<std::string> lines;
    std::uint32_t epoch = 0; ///< number of changing calls made before it
  };

  /// True if it brought rules or goals that were not read before.
  bool retrieve(std::string_view query);
  bool observe_with(const tool_spec& tool, bool widely);
  [[nodiscard]] bool repeats_another(const std::string& call_text) const;

  const task_info& task_;
  environment& env_;
  retrieval_session& retrieval_;
  const agent_options& options_;
  const retrieval_options& retrieval_options_;
  rules_read read_;
  task_facts facts_;
  std::vector<trajectory_step> steps_;
  std::map<std::string, view> views_;
  /// Reading calls made, with their real arguments.
  std::set<std::string> observed_;
  std::set<std::string> queries_;
  /// Calls, as text, that `follow` made or `try_one_of` has drawn.
  std::set<std::string> tried_;
  std::vector<std::string> made_;
  std::uint32_t epoch_ = 0;
  std::uint32_t before_draw_ = never_drew;
  bool observed_widely_ = false;
  std::optional<error> failure_; ///< of a retrieval
};

} // namespace brewery
