#pragma once
/// The telecom domain of tau2-bench as a benchmark in solo mode: the agent
/// gets a ticket and both tool kits, and no user answers. Loads tau2-bench's
/// data as it is, or data of one's own in the same formats.

#include "envs/tau2/telecom_environment.hpp"

#include <filesystem>

namespace brewery::tau2 {

struct load_options {
  /// Splits that will be played; empty means all that the file has. Their
  /// tasks must be playable in solo mode, and none of them may be empty.
  std::vector<std::string> splits;
};

class telecom_benchmark final
    : public benchmark,
      public std::enable_shared_from_this<telecom_benchmark> {
public:
  telecom_benchmark(telecom_state base, task_set tasks,
                    std::string fingerprint);

  std::string_view name() const override { return "tau2-telecom"; }
  const std::string& fingerprint() const override { return fingerprint_; }
  const std::vector<task_info>& tasks() const override { return infos_; }
  const std::map<std::string, std::vector<std::size_t>>&
  splits() const override {
    return set_.splits;
  }
  result<std::unique_ptr<environment>>
  make(const task_id& task, const company& with = {}) const override;

  /// As make(), for either mode, with access to state and records.
  result<std::unique_ptr<telecom_environment>> open(const task_id& id,
                                                    play_mode mode) const;

  [[nodiscard]] const telecom_state& base() const { return base_; }
  [[nodiscard]] const task* find(const task_id& id) const;

private:
  telecom_state base_;
  task_set set_;
  std::string fingerprint_;
  std::vector<task_info> infos_;
  /// State of each task after initialisation, or why it cannot be set up.
  /// They share all records they did not change with the base.
  std::vector<result<telecom_state>> initial_;
  std::map<task_id, std::size_t> index_;
};

/// What tasks of this domain may name.
task_vocabulary telecom_vocabulary();

/// `data` is a tau2-bench checkout, its data directory, or a domain directory
/// that holds db.toml, user_db.toml, tasks.json and split_tasks.json.
result<std::shared_ptr<const telecom_benchmark>>
load_telecom_benchmark(const std::filesystem::path& data,
                       const load_options& options = {});

/// The same behind the environment port.
result<std::shared_ptr<const benchmark>>
load_telecom(const std::filesystem::path& data,
             const load_options& options = {});

} // namespace brewery::tau2
