#pragma once
/// The finished rollouts of one sample (a task, a seed and all that an agent
/// depends on but the trial and the knowledge base), by what they read. An
/// agent that repeats itself asks the same after it has read the same. So the
/// rollouts form a tree: a node is a question, an edge is what was read of the
/// answer, a leaf is an outcome. Where the agent begins to draw is a question
/// too, which the trial answers: before it, all trials are one. PURE.

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace brewery {

/// One retrieval of a rollout, or the beginning of its draws, once at most.
/// Queries and what was read are numbers: equal numbers, equal texts.
struct trace_step {
  /// Instead of a query: what follows depends on the trial, which is `read`.
  static constexpr auto draws = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t step = 0; ///< number of tool calls before it
  std::uint32_t query = 0;
  std::uint32_t read = 0;
  bool operator==(const trace_step&) const = default;
};

class trace_tree {
public:
  static constexpr auto none = std::numeric_limits<std::uint32_t>::max();

  /// The place where a replay leaves what is known: a question, and what was
  /// read of its answer. The first rollout of all leaves it before anything is
  /// asked.
  struct frontier {
    std::uint32_t node = none;
    std::uint32_t read = none;
    bool operator==(const frontier&) const = default;
  };
  using leaf = std::uint32_t; ///< the number of an outcome
  using place = std::variant<frontier, leaf>;

  /// Replays a rollout: `read` asks a knowledge base a query and says what the
  /// agent reads of the answer; `none`: it cannot be known. Ends at the first
  /// difference.
  [[nodiscard]] place
  replay(const std::function<std::uint32_t(std::uint32_t)>& read) const;

  /// Adds a rollout. Returns the outcome of an earlier one that read the same;
  /// otherwise `outcome`. None: after the same reading, the two did not ask
  /// the same, so the agent does not repeat itself, or read more than it
  /// declares. Then nothing is added.
  std::optional<leaf> add(const std::vector<trace_step>& trace, leaf outcome);

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

private:
  struct node {
    trace_step asked; ///< its `read` is not used
    leaf ends = none; ///< instead of a question
    std::vector<std::pair<std::uint32_t, std::uint32_t>> next; ///< read, node

    [[nodiscard]] std::uint32_t after(std::uint32_t read) const;
    [[nodiscard]] bool asks(const trace_step& other) const {
      return ends == none && asked.step == other.step
             && asked.query == other.query;
    }
  };

  /// The known part of a trace: its last node, and how many steps lead there.
  struct known_part {
    std::uint32_t node = none;
    std::size_t steps = 0;
  };
  [[nodiscard]] std::optional<known_part>
  known(const std::vector<trace_step>& trace) const;

  std::vector<node> nodes_; ///< the first is the root
};

} // namespace brewery
