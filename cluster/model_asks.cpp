#include "cluster/model_asks.hpp"

namespace brewery {

void model_asks::add(const search_id& search, const job_id& job,
                     std::uint32_t number, std::string call) {
  open_.try_emplace({search, job, number},
                    question{std::move(call), instant{0}});
}

std::vector<model_ask> model_asks::due(std::uint64_t session, instant now,
                                       instant again) {
  std::vector<model_ask> out;
  for (auto& [where, asked] : open_) {
    if (now < asked.due_at) continue;
    asked.due_at = again;
    const auto& [search, job, number] = where;
    out.push_back({session, search, job, number, asked.call});
  }
  return out;
}

void model_asks::renew() {
  for (auto& [where, asked] : open_)
    asked.due_at = instant{0};
}

bool model_asks::answered(const model_reply& reply) {
  return open_.erase({reply.search, reply.job, reply.number}) > 0;
}

void model_asks::forget(const search_id& search, const job_id& job) {
  std::erase_if(open_, [&](const auto& item) {
    return std::get<0>(item.first) == search && std::get<1>(item.first) == job;
  });
}

} // namespace brewery
