#pragma once
/// The retrieval of one rollout. It answers the agent's queries from one
/// knowledge base and records each query with its results. A rollout can then
/// be reused for another knowledge base that gives the same results. Owned by
/// one rollout, on one thread. The kb_index behind it is shared by all threads.

#include "base/result.hpp"
#include "kb/document.hpp"
#include "kb/retriever.hpp"
#include "messages/rollout_msgs.hpp"

#include <functional>

namespace brewery {

/// The documents of a knowledge base and their retriever, in the same order.
/// Immutable.
struct kb_index {
  std::vector<std::shared_ptr<const document>> documents;
  std::shared_ptr<const retriever> index;
  std::vector<concept_id> concepts = {}; ///< of the documents
};

/// Gives the vector of a query, for retrievers that need one.
using query_embedder =
    std::function<result<std::shared_ptr<const std::vector<double>>>(
        std::string_view query)>;

class retrieval_session {
public:
  /// `all_first`: the documents are meant for this task, so the first retrieval
  /// returns all of them in their order, whatever it asks.
  retrieval_session(std::shared_ptr<const kb_index> index, std::uint32_t top_k,
                    query_embedder embed = {}, bool all_first = false)
      : index_(std::move(index)), top_k_(top_k), embed_(std::move(embed)),
        all_next_(all_first) {}

  /// The best documents for `query`, best first. `step` is the number of steps
  /// that the agent has made so far. Errors: those of the embedder, and
  /// ec::malformed if its vector does not fit those of the documents.
  result<std::vector<const document*>> retrieve(std::string_view query,
                                                std::uint32_t step);

  /// The concepts in their order for `query`, the first `depth`. Not recorded.
  [[nodiscard]] result<std::vector<concept_id>>
  ranking(std::string_view query, std::size_t depth) const;

  /// Documents that the agent opened by name, not by a query: recorded like a
  /// retrieval, with what it asked for. `documents` are indices.
  std::vector<const document*> open(std::string_view asked_for,
                                    const std::vector<std::size_t>& documents,
                                    std::uint32_t step);

  [[nodiscard]] bool empty() const { return index_->documents.empty(); }

  /// All that it may return.
  [[nodiscard]] const std::vector<std::shared_ptr<const document>>&
  documents() const {
    return index_->documents;
  }

  [[nodiscard]] std::uint32_t retrievals() const {
    return static_cast<std::uint32_t>(records_.size());
  }
  std::vector<retrieval_record> take_records() { return std::move(records_); }

private:
  /// All documents, recorded as what this query found.
  std::vector<const document*> show_all(std::string_view query,
                                        std::uint32_t step);
  [[nodiscard]] result<std::vector<retrieved>> search(std::string_view query,
                                                      std::size_t limit) const;

  std::shared_ptr<const kb_index> index_;
  std::uint32_t top_k_;
  query_embedder embed_;
  bool all_next_; ///< the next retrieval returns all
  std::vector<retrieval_record> records_;
};

} // namespace brewery
