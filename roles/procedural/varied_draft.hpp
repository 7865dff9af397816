#pragma once
/// Drafts that differ in substance, for `integrator.drafts = "varied"`. A draft
/// is a revision of its parent: it keeps most of the parent's rules as they are
/// and writes the others anew. What it writes anew, and how, is its style: how
/// many attempts it asks for, how it sees conflicting attempts, whether it adds
/// conditions, which rules it prefers when not all fit, in what order, and how
/// many clauses of tickets it quotes. The fewer attempts there are, the more
/// drafts differ. The first draw of an expansion takes the evidence at face
/// value. Pure.

#include "base/rng.hpp"
#include "kb/document.hpp"
#include "messages/kb_msgs.hpp"
#include "roles/procedural/induction/rule_induction.hpp"

namespace brewery {

struct draft {
  induced knowledge;
  std::vector<std::string> quotes; ///< of tickets
};

/// `max_rules` 0: no limit.
draft varied_draft(const integrate_job& job, const document* parent,
                   const evidence_table& table, std::uint32_t max_rules,
                   rng& draw);

} // namespace brewery
