#pragma once
/// The arrays of workers that this user started, below the state directory:
/// clusters/NAME/array.json. A store has the lock of one name for as long as it
/// lives, so that two commands do not change one array at once.

#include "cli/cluster_up/worker_array.hpp"
#include "store/directory_lock.hpp"

#include <optional>

namespace brewery {

class worker_array_store {
public:
  /// Error ec::in_use: another command has the lock.
  static result<worker_array_store> open(const std::string& name);

  /// The names that have an array, ascending.
  static std::vector<std::string> names();
  /// Without the lock; nothing if there is none of this name.
  static result<std::optional<worker_array>> read(const std::string& name);

  result<void> save(const worker_array& array);
  result<void> remove(const worker_array& array);

private:
  explicit worker_array_store(directory_lock lock) : lock_(std::move(lock)) {}
  directory_lock lock_;
};

} // namespace brewery
