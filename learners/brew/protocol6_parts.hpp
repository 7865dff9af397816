#pragma once
/// Growth of a pool as protocol 6 had it: an insight after the other, each with
/// the names of its members. A worker is upgraded before its coordinator and
/// reads the parts that this one makes. Snapshots of before are left out, so
/// they are read nowhere else. PURE.

#include "base/result.hpp"
#include "messages/snapshot_msgs.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brewery {

struct protocol6_insight {
  std::string id;
  std::string topic;
  std::string sentence;
  std::string kind; ///< and the others of its fact
  std::string observation;
  std::string check;
  bool met = false;
  std::vector<std::uint32_t> lists; ///< before, after, actions, quiet, context
  std::vector<std::uint32_t> steps;
  BREWERY_FIELDS(protocol6_insight, id, topic, sentence, kind, observation,
                 check, met, lists, steps)
};

struct protocol6_growth {
  std::vector<insight_source> rollouts;
  std::vector<std::vector<std::string>> lists; ///< numbered from 0
  std::vector<protocol6_insight> insights;
  std::vector<std::uint32_t> made;
  BREWERY_FIELDS(protocol6_growth, rollouts, lists, insights, made)
};

/// The same growth as it is now. Errors of decoding, and ec::corrupt: it names
/// a list that is not there.
result<pool_growth> growth_of_protocol6(std::string_view encoded);

} // namespace brewery
