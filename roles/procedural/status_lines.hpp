#pragma once
/// Parses a tool's answer to status lines, the unit in which the procedural
/// roles observe, compare and learn. Knows no domain:
///   "Airplane Mode: ON\nSignal: good"  -> two lines with keys
///   {"line_id": "L1", "used_gb": 3.5}  -> "line_id: L1", "used_gb: 3.5"
///   "The SIM card is missing."         -> one line without a key

#include "envs/environment.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace brewery {

/// The lines of an answer in order, without duplicates. JSON objects are
/// flattened ("address.city: Bath"), and two numbers with the same unit are
/// compared ("used_gb compared with limit_gb: above"). A list of objects gives
/// a line for each key and value ("one has status: Paid").
std::vector<std::string> status_lines(std::string_view observation);

/// The key of a line: the text before the first ": ", or "" for a statement.
std::string_view line_key(std::string_view line);

/// True if the line can be a condition of a rule. Not so are joined values of
/// lists, and ids, dates and amounts of a list's records: they differ from task
/// to task.
bool is_state(std::string_view line);

/// The number if the whole text is one, as JSON writes it; otherwise null.
json number_in_text(std::string_view text);

struct parsed_observation {
  std::optional<json> value;      ///< if the text is an object or an array
  std::vector<std::string> lines; ///< its status lines
};

/// Attempts of a task see the same answers over and over, each of which is
/// parsed once while there is room. Owned by a role, for all of its rollouts.
/// Thread-safe.
class observation_cache {
public:
  /// All is forgotten when the texts have so many bytes.
  static constexpr std::size_t bytes_max = 8'000'000;

  explicit observation_cache(std::size_t most_bytes = bytes_max)
      : bytes_max_(most_bytes) {}

  std::shared_ptr<const parsed_observation> of(std::string_view text) const;

private:
  struct text_hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::size_t bytes_max_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string,
                             std::shared_ptr<const parsed_observation>,
                             text_hash, std::equal_to<>>
      parsed_;
  mutable std::size_t bytes_ = 0; ///< of the texts
};

} // namespace brewery
