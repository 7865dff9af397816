#pragma once
/// The memory of one attempt: what came with its job, and what the attempt adds
/// for itself. The outline is known from the beginning; opening an application
/// is recorded like a retrieval. Owned by one rollout.

#include "kb/muse/memory_text.hpp"
#include "roles/retrieval_session.hpp"

#include <map>
#include <set>

namespace brewery {

class opened_memory {
public:
  /// Error ec::malformed: a document of the job is none of a memory.
  static result<opened_memory> of(retrieval_session& session);

  [[nodiscard]] const muse::memory& all() const { return all_; }

  /// Opens an application that the outline has, once. Null: it has none of this
  /// name, or it is open already.
  const document* open(const std::string& application, std::uint32_t step);

  /// Records that the whole of strategies and tools is read, at the beginning.
  void read_standing();

  /// Adds to the attempt's own copy, and to what is to be remembered after it.
  /// False, if the memory's bounds refuse it.
  bool add(memory_operation what);
  std::vector<memory_operation> take_added() { return std::move(added_); }

private:
  explicit opened_memory(retrieval_session& session) : session_(&session) {}

  retrieval_session* session_;
  muse::memory all_;
  std::map<std::string, std::size_t> places_; ///< of applications' documents
  std::vector<std::size_t> standing_;         ///< of the other documents
  std::set<std::string> open_;
  std::vector<memory_operation> added_;
};

} // namespace brewery
