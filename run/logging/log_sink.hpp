#pragma once
/// Where the lines of a process's log go besides standard error.

#include "base/json.hpp"

#include <functional>
#include <memory>
#include <string>

namespace brewery {

/// Lines on standard error are JSON objects from now on. `always` are members
/// that every line has.
void log_as_json(const json& always);

/// Lines on standard error are those of this level and above from now on:
/// trace, debug, info, warn, error or off.
void show_log_from(const std::string& level);

/// Gives every line of level info and above, as a JSON object, to `take`, on
/// any thread, whatever standard error shows. Until the object is destroyed.
/// Lines of more than `bytes_max` are shortened.
class log_copy {
public:
  log_copy(json always, std::function<void(const std::string&)> take,
           std::size_t bytes_max = std::string::npos);
  ~log_copy();
  log_copy(const log_copy&) = delete;
  log_copy& operator=(const log_copy&) = delete;

private:
  struct sink;
  std::shared_ptr<sink> sink_;
};

} // namespace brewery
