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

/// Gives every line of level info and above, as a JSON object, to `take`, on
/// any thread. Until the object is destroyed.
class log_copy {
public:
  log_copy(json always, std::function<void(const std::string&)> take);
  ~log_copy();
  log_copy(const log_copy&) = delete;
  log_copy& operator=(const log_copy&) = delete;

private:
  struct sink;
  std::shared_ptr<sink> sink_;
};

} // namespace brewery
