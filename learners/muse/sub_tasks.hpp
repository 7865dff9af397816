#pragma once
/// The loop of one attempt of MUSE (arXiv:2510.08002, section 3.3) without what
/// plans, acts and checks: plan -> act -> check -> plan. A sub-task that fails
/// its check is tried once more, exploring; then the plan is made anew. A plan
/// of nothing ends the attempt. Owned by one attempt. PURE.

#include "messages/memory/muse_msgs.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brewery::muse {

struct sub_task {
  std::string description; ///< one line
  std::string goal;        ///< one line
};

struct sub_task_limits {
  std::uint32_t actions_per_try = 20; ///< N
  std::uint32_t tries = 2;            ///< of a sub-task
  std::uint32_t actions = 160;        ///< of the attempt
  std::uint32_t plans = 80;           ///< of the attempt
};

class sub_task_loop {
public:
  explicit sub_task_loop(sub_task_limits limits) : limits_(limits) {}

  enum class phase : std::uint8_t {
    plan,  ///< the next call is `planned`
    act,   ///< actions for `current`, then `claim`
    check, ///< the next call is `checked`
    over,
  };
  [[nodiscard]] phase now() const { return now_; }

  /// Only the first sub-task is done before the next plan; the others tell what
  /// is thought to follow. None: the attempt is over.
  void planned(const std::vector<sub_task>& plan);

  [[nodiscard]] const sub_task& current() const { return current_; }
  /// The second try need not follow memory.
  [[nodiscard]] bool explores() const { return record_.tries > 1; }
  /// How many actions the try may still make.
  [[nodiscard]] std::uint32_t actions_left() const;
  /// Counts actions of the try, also beyond what was left.
  void acted(std::uint32_t actions);

  /// The try is over: its outcome is to be checked.
  void claim();
  /// The verdict. `probes`: calls that it took.
  void checked(bool met, std::string report, std::uint32_t probes);

  /// Whether the attempt was ended by a limit.
  [[nodiscard]] bool exhausted() const { return exhausted_; }
  /// The sub-tasks whose last try was checked, in order.
  [[nodiscard]] const std::vector<sub_task_record>& records() const {
    return records_;
  }

private:
  void plan_again();

  sub_task_limits limits_;
  phase now_ = phase::plan;
  sub_task current_;
  sub_task_record record_; ///< of `current_`
  std::uint32_t in_try_ = 0, in_all_ = 0, plans_ = 0;
  bool exhausted_ = false;
  std::vector<sub_task_record> records_;
};

} // namespace brewery::muse
