#pragma once
/// Merges sentences of equal meaning. Two are one if their vectors are near and
/// nothing in their words tells them apart: vectors hardly notice a "not", an
/// exchanged value or an exchanged order. A wrong merge loses a fact and a
/// missed one costs a line, so in doubt nothing is merged. Insights with a fact
/// are never merged: a program counts their values. Pure; the order of the
/// insights does not matter.

#include "learners/brew/insight_pool.hpp"

namespace brewery {

/// Unit vectors of sentences.
using insight_vectors = std::map<insight_id, std::vector<double>>;

/// Each insight joins the most similar one that has more rollouts and stands
/// for itself, if their cosine similarity is at least `threshold`. With a
/// threshold of 1 only equal sentences are one.
insight_groups equal_insights(const std::vector<counted_insight>& insights,
                              const insight_vectors& vectors, double threshold);

/// Evidence with the insights that stand for those of `evidence`, each once.
std::vector<line_evidence> as_shown(std::vector<line_evidence> evidence,
                                    const insight_groups& groups);

/// Evidence with all insights that those of `evidence` stand for, so that it
/// names what rollouts made even if the groups change.
std::vector<line_evidence> as_made(std::vector<line_evidence> evidence,
                                   const insight_groups& groups);

} // namespace brewery
