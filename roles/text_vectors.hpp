#pragma once
/// The embedder's vectors of single texts, each made once per process and kept
/// by the hash of the text, as far as there is room. For retrieval: documents
/// and queries come back rollout after rollout. Thread-safe.
///
/// Each text is a call of its own, so that the recording of a run answers it
/// for every knowledge base and rollout that has it, whatever else they have.

#include "kb/retriever.hpp"
#include "roles/roles.hpp"

#include <map>
#include <mutex>

namespace brewery {

class text_vectors {
public:
  using vector = std::shared_ptr<const std::vector<double>>;

  /// Keeps vectors of at most so many numbers in all.
  static constexpr std::size_t numbers_max = 8'000'000;

  explicit text_vectors(std::shared_ptr<const embedder> by,
                        std::size_t most = numbers_max)
      : by_(std::move(by)), most_(most) {}

  /// The vector of a text; empty if it is blank. Calls of a model are made for
  /// the context's job, under numbers that follow from the text: a repeated job
  /// makes the same ones whatever is kept, and the agent's numbers stay.
  /// Errors: those of the embedder.
  result<vector> of(std::string_view text, const job_context& asker) const;

private:
  std::shared_ptr<const embedder> by_;
  std::size_t most_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, vector> known_; ///< by content hash
  mutable std::size_t kept_ = 0;                ///< numbers
};

/// Error ec::malformed if a query's vector, unless it is empty, has another
/// length than those of the documents.
result<void> check_query_vector(const std::vector<double>& vector,
                                const retriever& documents);

} // namespace brewery
