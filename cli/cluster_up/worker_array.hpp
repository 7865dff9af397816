#pragma once
/// The workers that `brewery cluster up` started on an engine that people have:
/// what they are called, how each is started, and what the engine calls them.
/// A value, stored as JSON by worker_array_store. Pure.

#include "base/result.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace brewery {

/// The highest number of workers of one array, and 1 + the highest id. Slurm's
/// default MaxArraySize allows as many.
inline constexpr std::uint32_t array_workers_max = 1000;

struct worker_array {
  std::string name; ///< see is_array_name; its workers are NAME-0, NAME-1, ...
  std::string engine;    ///< one of engine_names
  std::string program;   ///< path of `brewery` where workers run
  std::string directory; ///< there: workers start in it and write NAME-ID.log
  std::vector<std::string> worker_words; ///< options of `brewery worker`
  std::vector<std::string> engine_words; ///< for the engine's command
  std::vector<std::string> hosts;        ///< ssh only: worker i is on i % size
  std::string deployment;                ///< Kubernetes only
  /// Of each worker that was started and not told to end: what the engine
  /// calls it ("12_3", "host 4711"). Empty where the engine knows its name.
  std::map<std::uint32_t, std::string> handles;
  /// When fewer workers than there are were first enough, in seconds since
  /// 1970; 0: they are not.
  std::int64_t enough_since_s = 0;
};

/// 1 to 40 letters, digits, `-` and `_`: a file, a job's name, a word.
bool is_array_name(const std::string& name);

std::string worker_name(const worker_array& array, std::uint32_t id);
std::string worker_log(const worker_array& array, std::uint32_t id);

/// Program and arguments of one worker. Keys are named by the paths of their
/// files, never by their content.
std::vector<std::string> worker_line(const worker_array& array,
                                     const std::string& name);

/// As one line for a shell.
std::string shell_line(const std::vector<std::string>& words);

/// The value of an option in `--option value` or `--option=value`, the last
/// one;
/// "" if it is not there.
std::string option_value(const std::vector<std::string>& words,
                         const std::string& option);

std::string to_json(const worker_array& array);
/// Error ec::malformed.
result<worker_array> parse_worker_array(const std::string& text);

} // namespace brewery
