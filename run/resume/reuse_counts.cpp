#include "run/resume/reuse_counts.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cluster/ledger/memo_loader.hpp"
#include "messages/reused_from.hpp"
#include "messages/wire/codec.hpp"
#include "run/arms.hpp"
#include "store/event_log.hpp"

#include <fmt/format.h>

namespace brewery {

void reuse_counts::add_check(const std::string& differs) {
  ++checked;
  if (differs.empty()) return;
  if (++wrong == 1) first_wrong = differs;
}

void reuse_counts::add_reused(const std::string& reused_from) {
  if (reused_from.empty()) return;
  ++reused;
  elsewhere += is_of_other_run(reused_from) ? 1 : 0;
}

std::string reuse_text(const reuse_counts& counts, std::uint64_t rollouts) {
  const bool found = counts.reused + counts.checked > 0;
  if (!found && !counts.is_on) return {};
  if (!found)
    return fmt::format("none of {} was reused: no earlier one of its task had "
                       "read and drawn the same",
                       counted(rollouts, "rollout"));
  auto out = fmt::format("{} of {} ({}) were not played: an earlier one had "
                         "read the same",
                         counts.reused, counted(rollouts, "rollout"),
                         percent_text(static_cast<double>(counts.reused)
                                      / static_cast<double>(rollouts)));
  if (counts.elsewhere > 0)
    out += fmt::format(" ({} of them in other runs)", counts.elsewhere);
  if (counts.checked > 0)
    out +=
        fmt::format("; {} played all the same, of which {}", counts.checked,
                    counts.wrong == 0 ? "none differs"
                                      : fmt::format("{} DIFFER", counts.wrong));
  return out;
}

std::vector<std::string>
reuse_checks_in(const std::map<std::string, std::string>& decisions) {
  const auto prefix = std::string{reuse_check_event} + '/';
  std::vector<std::string> out;
  for (auto it = decisions.lower_bound(prefix);
       it != decisions.end() && it->first.starts_with(prefix); ++it)
    out.push_back(it->second);
  return out;
}

result<reuse_counts> reuse_in(const event_log& log, const memo_content& known) {
  reuse_counts out;
  for (const auto& differs : reuse_checks_in(known.decisions))
    out.add_check(differs);
  for (const auto& [job, event] : known.logged) {
    const auto row = log.read(event);
    if (!row) return row.error();
    const auto answer = wire::decode_brief<job_result>(row->payload);
    if (!answer)
      return error{answer.error().code,
                   fmt::format("event {} of the log: {}", event,
                               answer.error().message)};
    const auto* rollout = std::get_if<rollout_result>(&answer->output);
    if (rollout) out.add_reused(rollout->reused_from);
  }
  return out;
}

} // namespace brewery
