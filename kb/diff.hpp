#pragma once
/// Line differences between documents and between knowledge bases, in the
/// unified format that `patch` reads. Pure.

#include "kb/knowledge_base.hpp"

namespace brewery {

/// A shortest edit (longest common subsequence of lines) with `context` equal
/// lines around it; empty when the texts are equal. Above about 25 million line
/// pairs everything between the common head and tail is replaced instead.
std::string unified_diff(std::string_view before, std::string_view after,
                         std::string_view before_name,
                         std::string_view after_name, std::size_t context = 3);

enum class change_kind : std::uint8_t { added, removed, changed };

struct document_change {
  change_kind kind = change_kind::changed;
  concept_id concept_ref;
  std::string title; ///< the newer one
  std::string diff;  ///< unified; an added document differs from nothing
};

/// Documents matched by concept, in concept order; equal ones are left out.
std::vector<document_change> difference(const knowledge_base& before,
                                        const knowledge_base& after);

/// One line per change and its diff below, ready to print.
std::string to_text(const std::vector<document_change>& changes);

} // namespace brewery
