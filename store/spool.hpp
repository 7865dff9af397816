#pragma once
/// Results a worker could not deliver yet, on disk: `result-<hash>` files in a
/// directory per worker below a shared root. They survive the worker; the next
/// one that starts on the root takes over what belongs to nobody.
///
/// An entry is written whole (beside, synced, renamed) with a CRC-32; one that
/// cannot be read is set aside as `damaged-...` and reported, never delivered.
/// Above `bytes_max` nothing more is taken: the worker then keeps the result in
/// memory until somebody takes it.

#include "base/result.hpp"
#include "cluster/worker_session.hpp"
#include "store/directory_lock.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace brewery {

class spool {
public:
  /// Makes `root/name`; ec::in_use when another process has it.
  static result<std::unique_ptr<spool>> open(const std::filesystem::path& root,
                                             const std::string& name,
                                             std::size_t bytes_max);

  /// What earlier workers left, moved here; `notes` says what was damaged.
  std::vector<spooled_result> take_over(std::vector<std::string>& notes);

  /// Durable when it returns success. ec::exhausted when the spool is full.
  result<void> put(const spooled_result& item);
  /// Nothing happens when it is not there.
  void remove(const lease_key& key);

  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// Also removes the directory when it is empty.
  ~spool();
  spool(const spool&) = delete;
  spool& operator=(const spool&) = delete;

private:
  spool(std::filesystem::path root, std::filesystem::path own,
        directory_lock lock, std::size_t bytes_max);
  std::filesystem::path file_of(const lease_key& key) const;

  std::filesystem::path root_, own_;
  directory_lock lock_;
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
};

} // namespace brewery
