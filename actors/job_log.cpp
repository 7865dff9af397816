#include "actors/job_log.hpp"

#include "cluster/facts.hpp"
#include "messages/wire/codec.hpp"

#include <fmt/format.h>

namespace brewery {

std::map<job_id, std::string> quarantined_in(const memo_content& known) {
  std::map<job_id, std::string> out;
  for (const auto& [id, answer] : known.results)
    if (auto why = given_up_because(answer); !why.empty())
      out.emplace(id, std::move(why));
  return out;
}

result<memo_content> load_memo(const event_log& log) {
  memo_content known;
  std::map<std::string, std::uint64_t> decided_at;
  std::map<job_id, std::uint64_t> given_up_at;
  const auto take = [&](const event_row& row) -> result<void> {
    if (row.kind == retry_event) {
      const auto given_up = given_up_at.find({row.key});
      if (given_up == given_up_at.end()) return {}; // it is done
      const auto since = given_up->second;
      given_up_at.erase(given_up);
      known.results.erase({row.key});
      std::erase_if(known.decisions, [&](const auto& decision) {
        return decided_at[decision.first] > since;
      });
      return {};
    }
    if (row.kind == job_result::type_name) {
      known.logged.emplace(job_id{row.key}, row.seq);
      return {};
    }
    if (row.kind != verdict_event) {
      const auto key = row.kind + "/" + row.key;
      known.decisions.insert_or_assign(key, row.payload);
      decided_at[key] = row.seq;
      return {};
    }
    auto verdict = wire::decode<job_result>(row.payload);
    if (!verdict)
      return error{verdict.error().code,
                   fmt::format("event {} of the log: {}", row.seq,
                               verdict.error().message)};
    const auto id = verdict->id;
    given_up_at[id] = row.seq;
    known.results.emplace(id, std::move(*verdict));
    return {};
  };
  const auto read = log.for_each(take, job_result::type_name);
  if (!read) return read.error();
  return known;
}

} // namespace brewery
