#pragma once
/// The spool: results on disk that a worker could not deliver yet. Each worker
/// has a directory below a shared root, with files `result-<hash>`. They
/// survive the worker; the next worker that starts on the root takes over the
/// directories without an owner. Such a directory is named by a `random_id`
/// and holds nothing that no worker made; whatever else is
/// in the root is left alone. Owned by the worker process.
///
/// An entry is written atomically (temporary file, sync, rename) with a CRC-32.
/// An entry that cannot be read is renamed to `damaged-...` and reported, never
/// delivered. A spool of `bytes_max` accepts nothing more; the worker then
/// keeps results in memory until they are delivered.

#include "base/result.hpp"
#include "cluster/worker_session.hpp"
#include "store/directory_lock.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace brewery {

class spool {
public:
  /// Creates `root/name`. Error ec::in_use: another process uses it.
  static result<std::unique_ptr<spool>> open(const std::filesystem::path& root,
                                             const std::string& name,
                                             std::size_t bytes_max);

  /// Moves the results of ended workers here and returns all. `notes` lists
  /// damaged entries.
  std::vector<spooled_result> take_over(std::vector<std::string>& notes);

  /// Success means that the result is durable. Error ec::exhausted: the spool
  /// is full.
  result<void> put(const spooled_result& item);
  /// Leaves these results to later workers, in a directory without an owner:
  /// another coordinator waits for them.
  result<void> set_aside(const std::vector<lease_key>& keys);
  /// Removes a result. Does nothing if it is not in the spool.
  void remove(const lease_key& key);

  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// Removes the directory if it is empty.
  ~spool();
  spool(const spool&) = delete;
  spool& operator=(const spool&) = delete;

private:
  spool(std::filesystem::path root, std::filesystem::path own,
        directory_lock lock, std::size_t bytes_max);
  std::filesystem::path file_of(const lease_key& key) const;
  struct taking {
    std::vector<spooled_result> found;
    /// Whose the results are, by their files here.
    std::map<std::filesystem::path, std::string> clusters;
  };
  void take_entries(const std::filesystem::path& folder, taking& all,
                    std::vector<std::string>& notes);
  [[nodiscard]] std::size_t bytes_on_disk() const;
  result<void> make_again();

  std::filesystem::path root_, own_;
  directory_lock lock_;
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
};

} // namespace brewery
