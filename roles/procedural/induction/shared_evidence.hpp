#pragma once
/// The evidence table of a list of insights, made once for all jobs that share
/// the list: the draws of a concept. It is kept as long as such a job exists.
/// Owned by the integrator; any thread.

#include "roles/procedural/induction/counted_evidence.hpp"

#include <memory>
#include <mutex>

namespace brewery {

class shared_evidence {
public:
  std::shared_ptr<const counted_evidence>
  of(const shared_list<counted_insight>& insights);

  /// A job that had the list is done. If no other has it, its table goes.
  void done(const shared_list<counted_insight>& insights);

private:
  struct entry;

  std::mutex mutex_;
  std::vector<std::shared_ptr<entry>> known_;
};

} // namespace brewery
