#pragma once
/// The desks of a process's runs, by run: where questions of remote workers go.
/// Thread-safe.

#include "actors/model_desk.hpp"

#include <map>
#include <memory>
#include <mutex>

namespace brewery {

class desk_directory {
public:
  void open(const search_id& run, std::shared_ptr<model_desk> desk);
  void close(const search_id& run);
  void ask(const search_id& run, const model_call& call,
           std::function<void(result<model_answer>)> done) const;

private:
  mutable std::mutex mutex_;
  std::map<search_id, std::shared_ptr<model_desk>> desks_;
};

} // namespace brewery
