#pragma once
/// A file layer below SQLite that fails on command: the n-th call that changes
/// a file, once or from then on, or every write beyond a quota ("disk full").
/// Everything else goes to the system's layer.

#include <sqlite3.h>

#include <cstdint>
#include <string>

namespace brewery {

/// One at a time; its name is given to event_log as `vfs`.
class faulty_vfs {
public:
  faulty_vfs();
  ~faulty_vfs();
  faulty_vfs(const faulty_vfs&) = delete;
  faulty_vfs& operator=(const faulty_vfs&) = delete;

  static constexpr const char* name = "faulty";

  /// The n-th changing call from now (1 is the next) fails; with `sticky` all
  /// later ones too.
  void fail_at(std::uint64_t n, bool sticky);
  /// Files of this layer may take so many bytes together; the rest is refused
  /// as a full disk would.
  void set_quota(std::uint64_t bytes);
  void heal();

  /// Changing calls since the last fail_at.
  std::uint64_t calls() const;
  std::uint64_t failures() const;
};

} // namespace brewery
