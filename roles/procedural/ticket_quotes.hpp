#pragma once
/// Which clauses of tickets a varied draft quotes, so that tickets find it. A
/// topic comes with its own words in many of its tickets and with those of its
/// neighbours in a few, so the most frequent ones are the plain choice; with
/// few tickets they are often others'. Pure.

#include "base/rng.hpp"
#include "kb/document.hpp"
#include "messages/kb_msgs.hpp"

#include <string>
#include <vector>

namespace brewery {

struct quote_style {
  std::size_t limit = 2;
  double anew = 1;  ///< chance to choose anew instead of as the parent
  double doubt = 0; ///< of how often a clause was seen; 0: none
};

std::vector<std::string> ticket_quotes(const integrate_job& job,
                                       const document* parent,
                                       const quote_style& style, rng& draw);

/// From the standard normal distribution.
double normal_draw(rng& draw);

} // namespace brewery
