#pragma once
/// What changed between two knowledge bases, document by document. Pure.

#include "kb/knowledge_base.hpp"

namespace brewery {

enum class change_kind : std::uint8_t { added, removed, changed };

struct document_change {
  change_kind kind = change_kind::changed;
  concept_id concept_ref;
  concept_id before_ref; ///< another one if the knowledge bases number apart
  std::string title;     ///< of the newer document
  std::string diff; ///< unified; the old side of an added document is empty
};

/// In concept order, without documents that are equal. Those with the same
/// title, whatever its case and spaces, are versions of one document. Numbers
/// say so only `by_number`: of knowledge bases of one run, and for what is left
/// then.
std::vector<document_change> difference(const knowledge_base& before,
                                        const knowledge_base& after,
                                        bool by_number);

/// Text to print: one line per change, followed by its diff.
std::string to_text(const std::vector<document_change>& changes);

} // namespace brewery
