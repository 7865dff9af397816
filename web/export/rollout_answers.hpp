#pragma once
/// The answers about the rollouts of an exported run: the list of all, the head
/// of each, and what agents did as far as there is room.

#include "web/export/answer_files.hpp"
#include "web/export/exported_screenshots.hpp"
#include "web/export/rollout_order.hpp"
#include "web/export/static_export.hpp"

#include <optional>

namespace brewery::web {

class rollout_answers {
public:
  rollout_answers(run_shelf& shelf, std::string run, const open_run& from,
                  answer_files& files, exported_screenshots& screenshots)
      : shelf_(shelf), id_(std::move(run)), run_(from), files_(files),
        screenshots_(screenshots) {}

  /// Reads the list. It is written last, since it says which rollouts have
  /// their steps; `list_bytes` are kept for it.
  result<void> read_list();
  [[nodiscard]] std::uint64_t list_bytes() const { return list_bytes_; }

  /// With what their agents did and saw until there is no room for the next
  /// one; of the others the head, `left_out`, for which up to half of the room
  /// is kept. `bytes_max` is of all files.
  result<exported_run> add(const evidence_rollouts& evidence,
                           std::uint64_t bytes_max);

private:
  struct whole_rollout {
    std::vector<std::pair<answer_key, json>> answers{};
    std::set<std::string> screenshots{};
  };

  [[nodiscard]] answer_key key_of(const std::string& job) const {
    return {{"runs", id_, "rollouts", job}};
  }
  result<json> head_of(const std::string& job) const;
  result<std::vector<std::uint64_t>> sizes_of_heads() const;
  result<std::optional<whole_rollout>> rollout_within(std::uint64_t room,
                                                      const std::string& job);
  result<void> add_whole(const whole_rollout& one);
  result<void> add_list();

  run_shelf& shelf_;
  std::string id_;
  const open_run& run_;
  answer_files& files_;
  exported_screenshots& screenshots_;
  std::vector<exported_rollout> jobs_{};
  std::vector<std::pair<answer_key, json>> list_{};
  std::uint64_t list_bytes_ = 0;
  std::set<std::string> with_steps_{}, shown_{}; ///< shown: screenshots
};

} // namespace brewery::web
