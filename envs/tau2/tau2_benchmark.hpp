#pragma once
/// A domain of tau2-bench as a benchmark. In solo mode the agent gets a ticket
/// and both tool kits, and there is no user. Otherwise it talks with a
/// simulated user. Loads tau2-bench's data unchanged, or other data in the same
/// formats.

#include "envs/tau2/domain_kinds.hpp"
#include "envs/tau2/tau2_environment.hpp"

namespace brewery::tau2 {

struct tau2_options {
  /// The splits in use; empty: all in the file. Rollouts of their tasks must be
  /// possible in the mode, and no split may be empty.
  std::vector<std::string> splits{};
  /// Empty: the domain's default.
  std::optional<play_mode> mode{};
  std::uint32_t max_steps = 100;
  std::uint32_t max_errors = 10;
  bool enforce_protocol = false;
  std::chrono::milliseconds timeout{0}; ///< of a conversation; 0: none
};

/// The parts of a benchmark.
struct tau2_content {
  std::string kind; ///< "tau2-telecom"
  std::shared_ptr<const domain> of;
  task_set tasks;
  talk_rules rules;
  std::string briefing;
  std::string guidelines; ///< for users with tools
  std::string guidelines_without_tools;
  std::string fingerprint; ///< of the data, in any mode and with any rules
  std::string tasks_file;  ///< for error texts
};

class tau2_benchmark final
    : public benchmark,
      public std::enable_shared_from_this<tau2_benchmark> {
public:
  explicit tau2_benchmark(tau2_content content);

  std::string_view name() const override { return content_.kind; }
  const std::string& fingerprint() const override {
    return content_.fingerprint;
  }
  const std::vector<task_info>& tasks() const override { return infos_; }
  const std::map<std::string, std::vector<std::size_t>>&
  splits() const override {
    return content_.tasks.splits;
  }
  /// The task's assertions about the final state.
  std::uint32_t checkpoints(const task_id& task) const override;
  result<std::unique_ptr<environment>>
  make(const task_id& task, const participants& with = {}) const override;

  /// Error ec::malformed: the data cannot be brought into the state that the
  /// task starts from. Names file, task and the action that failed.
  [[nodiscard]] result<void> can_start(const task_id& id) const;

  /// Like make(), but gives access to state and records, in either mode, and
  /// does not check whether all participants are present.
  result<std::unique_ptr<tau2_environment>>
  open(const task_id& id, play_mode mode, const participants& with = {}) const;

  [[nodiscard]] const domain& of() const { return *content_.of; }
  [[nodiscard]] const talk_rules& rules() const { return content_.rules; }
  [[nodiscard]] const std::string& briefing() const {
    return content_.briefing;
  }
  /// For users with tools if the domain has any; empty in solo mode.
  [[nodiscard]] const std::string& guidelines() const {
    return content_.of->tools("user").empty()
               ? content_.guidelines_without_tools
               : content_.guidelines;
  }
  [[nodiscard]] const task* find(const task_id& id) const;

private:
  using initial_state = result<std::shared_ptr<const domain_state>>;

  tau2_content content_;
  std::vector<tool_spec> solo_tools_;
  std::vector<tool_spec> no_tools_;
  /// The tool kits of users whose task names its own kit.
  std::map<std::string, std::vector<tool_spec>> user_tools_;
  std::vector<task_info> infos_;
  /// Each task's state after initialisation, or why it cannot be set up. The
  /// states share all records that they did not change.
  std::vector<initial_state> initial_;
  std::map<task_id, std::size_t> index_;
};

/// `data` is a tau2-bench checkout, its data directory, or a domain's folder
/// with its databases, tasks.json and split_tasks.json.
result<std::shared_ptr<const tau2_benchmark>>
load_tau2(std::string_view kind, const std::filesystem::path& data,
          const tau2_options& options = {});

} // namespace brewery::tau2
