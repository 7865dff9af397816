#pragma once
/// What train tasks have in common, without a grade: the value that a key of a
/// look shows at the start of most tasks is its *usual* one, because each task
/// has few faults. A way back to it from another value is a procedure, if calls
/// led there reliably:
///
///   usual(look, key) = the value of more than half of the tasks that show the
///   key, at least four, if others show another one
///   a step: at least 60 % of the times that the call was made there
///
/// A key that more than two tools change is a symptom and has no procedure, nor
/// has one that a tool changes far less often than another key: they follow
/// from others. Owned by one learner. PURE.

#include "messages/insight.hpp"
#include "messages/memory/muse_msgs.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace brewery::muse {

class usual_lines {
public:
  /// What a look showed before the first change of an attempt. Only the first
  /// attempt at a task counts.
  void first_look(const std::string& task, const look_lines& shown);

  /// What a call changed, or did not: a fact of kind "effect" with one action.
  void effect(const insight_fact& fact);

  /// The procedures for the looks of an application: `looks`.
  [[nodiscard]] std::vector<memory_operation>
  procedures(std::string_view application,
             const std::set<std::string>& looks) const;

  /// Whether a procedure of one sentence is for a line with which most tasks
  /// begin, and fewer than three attempts, or not all, met a check with it: a
  /// few grades are a weaker reason to leave it than all tasks are to keep it.
  [[nodiscard]] bool leaves_usual(const memory_operation& made,
                                  const std::set<std::string>& looks) const;

private:
  struct arrivals {
    std::uint32_t made = 0;
    std::map<std::string, std::uint32_t> at; ///< by line
  };
  struct key_facts {
    std::map<std::string, std::set<std::string>> starts; ///< tasks, by line
    std::set<std::string> tools;                         ///< that changed it
    /// By line before, then by call.
    std::map<std::string, std::map<std::string, arrivals>> steps;
  };
  using keys = std::map<std::string, key_facts>;

  /// Empty if tasks began with fewer than so many values.
  static std::string usual_of(const key_facts& key, std::size_t values);
  [[nodiscard]] bool is_own(const std::string& call, const std::string& look,
                            const std::string& key) const;
  [[nodiscard]] std::vector<memory_operation>
  ways_back(std::string_view application, const std::string& look,
            const std::string& name, const key_facts& key,
            const std::string& usual) const;

  /// How often a tool changed what keys of looks show.
  struct changes {
    std::uint32_t most = 0;
    std::map<std::pair<std::string, std::string>, std::uint32_t> of;
  };

  std::map<std::string, changes> changed_; ///< by tool
  std::map<std::string, keys> looks_;
  std::set<std::pair<std::string, std::string>> seen_; ///< task and look
};

} // namespace brewery::muse
