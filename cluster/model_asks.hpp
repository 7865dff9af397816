#pragma once
/// What the jobs of a worker have asked language models and not been answered:
/// sent when it is asked, again with every new session and every `lease`, until
/// the reply is there or the job is dropped. Owned by a worker's session. PURE.

#include "cluster/options.hpp"
#include "messages/cluster_msgs.hpp"

#include <map>
#include <tuple>
#include <vector>

namespace brewery {

class model_asks {
public:
  /// A question; `call` is the wire form of a model_call.
  void add(const search_id& search, const job_id& job, std::uint32_t number,
           std::string call);
  /// What is to be sent now under this session; `again` is when it is repeated.
  std::vector<model_ask> due(std::uint64_t session, instant now, instant again);
  /// A new session: everything is due.
  void renew();
  /// Whether the reply was waited for; it is not any more.
  bool answered(const model_reply& reply);
  /// Nobody waits for the job's replies any more.
  void forget(const search_id& search, const job_id& job);

  [[nodiscard]] std::size_t size() const { return open_.size(); }

private:
  struct question {
    std::string call;
    instant due_at{0};
  };
  using place = std::tuple<search_id, job_id, std::uint32_t>;
  std::map<place, question> open_;
};

} // namespace brewery
