#include "actors/job_log.hpp"

#include "cluster/job_spec.hpp"

namespace brewery {

std::map<job_id, std::string> quarantined_in(const memo_content& known) {
  std::map<job_id, std::string> out;
  for (const auto& [id, answer] : known.results)
    if (auto why = given_up_because(answer); !why.empty())
      out.emplace(id, std::move(why));
  return out;
}

result<memo_loader> read_memo(const event_log& log) {
  memo_loader loader;
  const auto read = log.for_each(
      [&](const event_row& row) {
        return loader.take(row.seq, row.kind, row.key, row.payload);
      },
      job_result::type_name);
  if (!read) return read.error();
  return loader;
}

result<memo_content> load_memo(const event_log& log) {
  auto loader = read_memo(log);
  if (!loader) return loader.error();
  return std::move(*loader).content();
}

} // namespace brewery
