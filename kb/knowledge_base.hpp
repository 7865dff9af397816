#pragma once
/// A knowledge base: one document per concept, as an immutable snapshot. Cheap
/// to copy (documents are shared) and safe to share between threads.
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
  std::string title; ///< for people; no part of the content hash
  std::shared_ptr<const document> doc;
};

class knowledge_base {
public:
  knowledge_base() = default; ///< empty: no knowledge

  /// Orders by concept. Error ec::invalid_argument for two entries of one
  /// concept or an entry without a document.
  static result<knowledge_base> make(std::vector<kb_entry> entries);

  /// The hybrid: this document for this concept, all others unchanged. A
  /// concept that is not there yet is added under `title`; an existing one
  /// keeps its title.
  knowledge_base with(concept_id concept_ref, const std::string& title,
                      std::shared_ptr<const document> doc) const;

  /// Without the concept's document, if it is there.
  knowledge_base without(concept_id concept_ref) const;

  /// In concept order; a retriever's index counts in this order.
  const std::vector<kb_entry>& entries() const { return entries_; }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

  /// Null when the concept has no document.
  const kb_entry* find(concept_id concept_ref) const;

  /// What a message carries; `make` again with the texts fetched by hash.
  std::vector<doc_ref> refs() const;

  /// Content hash of concepts and document hashes, in order: equal hashes mean
  /// that an agent sees the same.
  std::string hash() const;

private:
  std::vector<kb_entry> entries_;
};

/// Builds a knowledge base from references. Titles come from the documents'
/// first heading. Error ec::not_found names the first unknown hash.
result<knowledge_base> resolve(const std::vector<doc_ref>& refs,
                               const document_store& store);

/// The text of the first "# " heading; empty when there is none.
std::string heading_of(std::string_view body);

} // namespace brewery
