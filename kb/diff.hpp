#pragma once
/// Line differences between documents and between knowledge bases, in the
/// unified format of `patch`. Pure.

#include "kb/knowledge_base.hpp"

namespace brewery {

/// A shortest edit script (longest common subsequence of lines) with `context`
/// equal lines around each change. Empty if the texts are equal. Above about 25
/// million line pairs, the diff replaces everything between the common head and
/// the common tail instead.
std::string unified_diff(std::string_view before, std::string_view after,
                         std::string_view before_name,
                         std::string_view after_name, std::size_t context = 3);

enum class change_kind : std::uint8_t { added, removed, changed };

struct document_change {
  change_kind kind = change_kind::changed;
  concept_id concept_ref;
  std::string title; ///< of the newer document
  std::string diff;  ///< unified; the old side of an added document is empty
};

/// Matches documents by concept, in concept order. Leaves out equal ones.
std::vector<document_change> difference(const knowledge_base& before,
                                        const knowledge_base& after);

/// Text to print: one line per change, followed by its diff.
std::string to_text(const std::vector<document_change>& changes);

} // namespace brewery
