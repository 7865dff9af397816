#include "report/memory_rounds.hpp"

#include "messages/job_msgs.hpp"
#include "messages/memory/memory_record.hpp"
#include "messages/search_msgs.hpp"
#include "report/log_rows.hpp"

namespace brewery {

result<void> memory_reader::add(const event_row& row) {
  if (row.kind == memory_record::type_name) {
    const auto closed = brief_of<memory_record>(row);
    if (!closed) return closed.error();
    barrier_ = closed->barrier;
    barrier_event_ = row.seq;
  } else if (barrier_ && row.kind == evaluation_record::type_name) {
    learned_ = true;
  }
  return {};
}

/// Its log has no number of train tasks, but the attempts between two barriers
/// are of one pass, whose number is their trial.
result<std::uint32_t> memory_reader::muse_passes(const config& options,
                                                 const event_log& log) const {
  if (learned_) return options.muse.iterations;
  for (auto event = barrier_event_; event > 0; --event) {
    const auto row = log.read(event);
    if (!row) return row.error();
    if (row->kind != job_result::type_name) continue;
    const auto made = brief_of<job_result>(*row);
    if (!made) return made.error();
    if (const auto* played = std::get_if<rollout_result>(&made->output))
      return played->trial;
  }
  return 0U;
}

result<std::optional<memory_rounds>>
memory_reader::rounds(const config& options, const event_log& log) const {
  if (options.search.learner == "muse") {
    const auto done = muse_passes(options, log);
    if (!done) return done.error();
    return std::optional{memory_rounds{*done, options.muse.iterations}};
  }
  if (options.search.learner.starts_with("agent_kb"))
    return std::optional{
        memory_rounds{barrier_.value_or(0), options.agent_kb.rounds}};
  return std::optional<memory_rounds>{};
}

} // namespace brewery
