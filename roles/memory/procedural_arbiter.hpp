#pragma once
/// The arbiter of Agent KB without a language model: whether two experiences of
/// one problem can be one. Two rules contradict each other if they have the
/// same condition and other calls; compatibility is the share of the fewer
/// rules that nothing contradicts. What is no rule contradicts nothing. PURE.

#include "messages/memory/memory_msgs.hpp"

namespace brewery {

/// The job's two experiences -> compatibility, and the lines of both, each
/// once, those of the first one first. Nothing if there are not two.
memory_result arbitrated(const memory_job& job);

} // namespace brewery
