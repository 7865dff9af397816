#pragma once
/// Answers the queries of replayed rollouts from any knowledge base of a run.
/// Holds the indexes of the newest knowledge bases, and the answers they gave,
/// because many rollouts ask the same. Not thread-safe. PURE.

#include "base/result.hpp"
#include "economy/known_vectors.hpp"
#include "kb/bm25.hpp"
#include "kb/document.hpp"
#include "messages/rollout_msgs.hpp"

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace brewery {

/// Gives equal texts equal numbers.
class text_numbers {
public:
  std::uint32_t number(const std::string& text);
  [[nodiscard]] const std::string& text(std::uint32_t number) const {
    return *texts_[number];
  }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> texts_;
};

struct replay_options {
  std::uint32_t top_k = 3;
  bm25_options bm25{};
  /// Indexes a knowledge base as a rollout's session does, with the vectors of
  /// its documents. Empty: by words alone.
  std::function<result<std::shared_ptr<const retriever>>(
      const knowledge_base&, const std::vector<text_vector>&)>
      by_vectors{};
};

/// One knowledge base: the same documents in the same order, by the same
/// retriever, as a rollout's session has.
class replayed_kb {
public:
  replayed_kb(const knowledge_base& kb, std::shared_ptr<const retriever> index,
              std::uint32_t top_k, std::shared_ptr<const known_vectors> known);

  /// Null: the query has no vector, or one of another length.
  const std::vector<const document*>* answer(std::uint32_t query,
                                             const text_numbers& texts);

  /// The concepts in their order for the query, as a rollout brings them; none
  /// where it has no answer.
  [[nodiscard]] std::optional<std::vector<concept_id>>
  ranking(std::uint32_t query, const text_numbers& texts) const;

private:
  [[nodiscard]] std::optional<std::vector<retrieved>>
  search(const std::string& query, std::size_t limit) const;

  std::vector<std::shared_ptr<const document>> documents_;
  std::vector<concept_id> concepts_; ///< of the documents
  std::shared_ptr<const retriever> index_;
  std::uint32_t top_k_;
  std::shared_ptr<const known_vectors> vectors_;
  std::unordered_map<std::uint32_t, std::vector<const document*>> answers_;
};

class replay_indexes {
public:
  replay_indexes(std::shared_ptr<const document_store> documents,
                 replay_options how, std::shared_ptr<const known_vectors> known)
      : documents_(std::move(documents)), how_(std::move(how)),
        vectors_(std::move(known)) {}

  /// Error ec::not_found: a document is not known here. Null: the texts that it
  /// adds to `lacking` have no vector yet.
  result<std::shared_ptr<replayed_kb>> of(const std::vector<doc_ref>& knowledge,
                                          std::vector<std::string>& lacking);

  /// Their answers hold numbers of queries.
  void forget() {
    recent_.clear();
    by_hash_.clear();
  }

private:
  using entry = std::pair<std::string, std::shared_ptr<replayed_kb>>;

  result<std::shared_ptr<const retriever>>
  index_of(const knowledge_base& kb, std::vector<std::string>& lacking) const;

  std::shared_ptr<const document_store> documents_;
  replay_options how_;
  std::shared_ptr<const known_vectors> vectors_;
  std::list<entry> recent_; ///< newest first
  std::map<std::string, std::list<entry>::iterator> by_hash_;
};

} // namespace brewery
