#pragma once
/// Finds keys in a key directory, as `key_directory` does, for many peers that
/// come again and again: one that is allowed costs the reading of one file,
/// however many keys there are. Thread-safe.
///
/// No answer is kept, only where it was found. That file is read again, so what
/// is allowed is allowed at that moment. If it does not have the key any more,
/// all files are read, as for a key that is allowed nowhere.

#include "net/curve_keys.hpp"

#include <mutex>

namespace brewery {

class key_lookup {
public:
  explicit key_lookup(std::filesystem::path directory)
      : directory_(std::move(directory)) {}

  [[nodiscard]] result<std::optional<allowed_peer>>
  find(const std::string& public_key);
  /// By one reading of the lists if there are several.
  [[nodiscard]] std::vector<result<std::optional<allowed_peer>>>
  find(const std::vector<std::string>& public_keys);

private:
  [[nodiscard]] std::optional<allowed_peer>
  where_it_was(const std::string& public_key);

  key_directory directory_;
  std::mutex mutex_;
  allowed_names names_; ///< guarded by mutex_
};

} // namespace brewery
