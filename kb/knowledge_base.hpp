#pragma once
/// A knowledge base: one document per concept, as an immutable snapshot. Copies
/// are cheap, because documents are shared. Safe to share between threads.
///
///   knowledge_base current = ...;
///   auto hybrid = current.with(concept_ref, title, candidate);

#include "base/result.hpp"
#include "kb/document.hpp"
#include "messages/rollout_msgs.hpp"

#include <memory>
#include <string>
#include <vector>

namespace brewery {

struct kb_entry {
  concept_id concept_ref;
  std::string title; ///< for readers; not part of the content hash
  std::shared_ptr<const document> doc;
};

class knowledge_base {
public:
  knowledge_base() = default; ///< empty: no knowledge

  /// Sorts the entries by concept. Error ec::invalid_argument: two entries of
  /// one concept, or an entry without a document.
  static result<knowledge_base> make(std::vector<kb_entry> entries);

  /// The hybrid KB: this document for this concept, all others unchanged. A new
  /// concept is added under `title`. An existing concept keeps its title.
  knowledge_base with(concept_id concept_ref, const std::string& title,
                      std::shared_ptr<const document> doc) const;

  /// A copy without the concept's document, if it has one.
  knowledge_base without(concept_id concept_ref) const;

  /// In concept order. Retrievers use the same indexes.
  const std::vector<kb_entry>& entries() const { return entries_; }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

  /// Null if the concept has no document.
  const kb_entry* find(concept_id concept_ref) const;

  /// References for a message. The receiver fetches the texts by hash and calls
  /// `make`.
  std::vector<doc_ref> refs() const;

  /// Content hash of concepts and document hashes, in order. Knowledge bases
  /// with equal hashes look the same to an agent.
  std::string hash() const;

private:
  std::vector<kb_entry> entries_;
};

/// Builds a knowledge base from references. Titles are the documents' first
/// headings. Error ec::not_found: an unknown hash. The message names the first
/// one.
result<knowledge_base> resolve(const std::vector<doc_ref>& refs,
                               const document_store& store);

/// The text of the first "# " heading; empty without one.
std::string heading_of(std::string_view body);

} // namespace brewery
