#pragma once
/// The librarian of one rollout: answers the agent's retrieval queries from one
/// knowledge base and records each query with what came back, so that a rollout
/// can later be reused for another knowledge base that would have answered the
/// same. Owned by one rollout on one thread; the shelf behind it is shared.

#include "kb/document.hpp"
#include "kb/retriever.hpp"
#include "messages/rollout_msgs.hpp"

namespace brewery {

/// Documents with the retriever built from them, in the same order. Immutable.
struct shelf {
  std::vector<std::shared_ptr<const document>> documents;
  std::shared_ptr<const retriever> index;
};

class librarian {
public:
  librarian(std::shared_ptr<const shelf> books, std::uint32_t top_k)
      : shelf_(std::move(books)), top_k_(top_k) {}

  /// The best documents for `query`, best first. `step` is the number of steps
  /// the agent has made.
  std::vector<const document*> consult(std::string_view query,
                                       std::uint32_t step);

  [[nodiscard]] bool empty() const { return shelf_->documents.empty(); }

  std::vector<retrieval_record> take_records() { return std::move(records_); }

private:
  std::shared_ptr<const shelf> shelf_;
  std::uint32_t top_k_;
  std::vector<retrieval_record> records_;
};

} // namespace brewery
