#include "cluster/ledger/ledger_core.hpp"

#include "base/compression.hpp"
#include "cluster/answer.hpp"
#include "cluster/job_spec.hpp"
#include "cluster/ledger/memo_loader.hpp"
#include "messages/side_records.hpp"
#include "messages/wire/codec.hpp"

#include <utility>

namespace brewery {

namespace {

/// Checks a result from the log against the job before it is used.
result<job_result> checked(const job_result& known, const job& work) {
  const auto why = why_no_answer(known, work);
  if (why.empty()) return known;
  return error{ec::corrupt, "what the log has under job " + work.id.value
                                + " is not its result: " + why};
}

} // namespace

ledger_step ledger_core::submit(job work, asker_id asker) {
  using submission = job_memo<asker_id>::submission;
  ledger_step out;
  switch (memo_.submit(work.id, asker)) {
  case submission::answered:
    out.answered = out.from_log = 1;
    out.answers.push_back({asker, checked(memo_.result_of(work.id), work)});
    break;
  case submission::logged: {
    out.answered = out.from_log = 1;
    if (const auto late = recent_.find(work.id); late != recent_.end()) {
      out.answers.push_back({asker, checked(late->second, work)});
      break;
    }
    const auto event = memo_.event_of(work.id);
    out.recall.push_back({asker, event});
    recalling_.emplace(asker, recall_under_way{event, std::move(work)});
    break;
  }
  case submission::fresh:
    if (const auto offered = journalling_.find(work.id);
        offered != journalling_.end())
      if (auto ok = checked(offered->second, work); !ok) {
        give_up(out, work.id, ok.error());
        break;
      }
    if (stopped_)
      give_up(out, work.id, {ec::cancelled, "the run was told to stop"});
    else
      out.run.push_back(std::move(work));
    break;
  case submission::joined:
    break;
  }
  return out;
}

ledger_step ledger_core::ran(const job_id& job, result<packed_result> answer) {
  ledger_step out;
  if (answer)
    keep(out, std::move(*answer), kept_once_);
  else
    give_up(out, job, answer.error());
  return out;
}

ledger_step ledger_core::offered(packed_result answer) {
  ledger_step out;
  keep(out, std::move(answer), false);
  return out;
}

/// Journals a result before it is handed out. A result that is known, or on its
/// way to the journal, is not counted again.
void ledger_core::keep(ledger_step& out, packed_result answer, bool kept_once) {
  const auto id = answer.brief.id;
  if (memo_.knows(id)) return out.settled.push_back(id);
  if (journalling_.contains(id)) return;
  const auto kind = given_up_because(answer.brief).empty()
                        ? std::string_view{job_result::type_name}
                        : verdict_event;
  const bool compressed = is_compressed(answer.bytes);
  out.append.push_back({std::string{kind}, id.value, std::move(answer.bytes),
                        std::nullopt, compressed});
  auto brief = kept_once ? std::move(answer.brief)
                         : insights_.shared(std::move(answer.brief));
  out.made.push_back(brief);
  journalling_.emplace(id, std::move(brief));
}

ledger_step ledger_core::journalled(const job_id& job,
                                    const result<std::uint64_t>& event) {
  ledger_step out;
  auto under_way = journalling_.extract(job);
  BREWERY_ASSERT(!under_way.empty());
  if (!event) {
    give_up(out, job, event.error());
    return out;
  }
  result<job_result> answer = std::move(under_way.mapped());
  out.settled.push_back(job);
  const auto askers = memo_.journalled(*answer, *event);
  if (*event > 0) remember(*answer);
  for (std::size_t i = 0; i + 1 < askers.size(); ++i)
    out.answers.push_back({askers[i], answer});
  if (!askers.empty()) // most jobs have one
    out.answers.push_back({askers.back(), std::move(answer)});
  out.answered = out.answers.size();
  check_drained(out);
  return out;
}

void ledger_core::remember(const job_result& brief) {
  constexpr std::size_t recent_max = 512;
  if (!recent_.emplace(brief.id, brief).second) return;
  recent_order_.push_back(brief.id);
  if (recent_order_.size() <= recent_max) return;
  recent_.erase(recent_order_.front());
  recent_order_.pop_front();
}

ledger_step ledger_core::recalled(asker_id asker,
                                  const result<std::string>& payload) {
  ledger_step out;
  auto under_way = recalling_.extract(asker);
  BREWERY_ASSERT(!under_way.empty());
  if (!payload) {
    out.answers.push_back({asker, payload.error()});
    return out;
  }
  const auto& [event, work] = under_way.mapped();
  auto answer = wire::decode_brief<job_result>(*payload);
  if (!answer) {
    out.answers.push_back(
        {asker,
         error{ec::corrupt, "event " + std::to_string(event)
                                + " of the log: " + answer.error().message}});
    return out;
  }
  auto brief = insights_.shared(std::move(*answer));
  remember(brief);
  out.answers.push_back({asker, checked(brief, work)});
  out.recalled.push_back(std::move(brief));
  return out;
}

ledger_step ledger_core::record(std::string kind, std::string key,
                                std::string payload, asker_id asker) {
  using decision = job_memo<asker_id>::decision;
  ledger_step out;
  const bool decides = !is_side_record(kind);
  auto known =
      memo_.decide(kind + "/" + key, decides ? payload : std::string{});
  if (!decides && known == decision::different) known = decision::same;
  switch (known) {
  case decision::same:
    out.recorded.push_back({asker, {}});
    break;
  case decision::different:
    out.recorded.push_back(
        {asker,
         error{ec::corrupt,
               "the log contradicts the configuration about " + kind + " " + key
                   + ": it was written with other data, configuration or "
                     "program version; resume with the original ones"}});
    break;
  case decision::fresh:
    out.append.push_back(
        {std::move(kind), std::move(key), std::move(payload), asker, false});
    break;
  }
  return out;
}

ledger_step ledger_core::decided(asker_id asker,
                                 const result<std::uint64_t>& event) {
  ledger_step out;
  out.recorded.push_back(
      {asker, event ? result<void>{} : result<void>{event.error()}});
  return out;
}

ledger_step ledger_core::drain(asker_id asker) {
  ledger_step out;
  drains_.push_back(asker);
  insights_.sweep();
  check_drained(out);
  return out;
}

void ledger_core::check_drained(ledger_step& out) {
  if (memo_.under_way() > 0) return;
  std::swap(out.drained, drains_);
}

void ledger_core::give_up(ledger_step& out, const job_id& job,
                          const error& reason) {
  for (const auto asker : memo_.failed(job))
    out.answers.push_back({asker, reason});
  check_drained(out);
}

/// The dead actor never answers: requests to it stay open.
ledger_step ledger_core::lost(const std::string& who, const error& reason) {
  ledger_step out;
  const error failure{ec::internal,
                      who + " ended unexpectedly: " + reason.message};
  for (const auto asker : memo_.all_failed())
    out.answers.push_back({asker, failure});
  check_drained(out);
  return out;
}

} // namespace brewery
