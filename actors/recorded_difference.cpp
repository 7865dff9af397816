#include "actors/recorded_difference.hpp"

#include "llm/accounts/request_text.hpp"
#include "messages/wire/codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace brewery {

namespace {

/// Empty for a recording of an older release, which has no parts.
std::optional<std::string> part_text(const event_log& log,
                                     const std::string& hash) {
  std::optional<std::string> out;
  if (hash.empty()) return out;
  (void)log.for_each([&](const event_row& row) -> result<void> {
    if (out || row.kind != prompt_part::type_name || row.key != hash) return {};
    if (auto part = wire::decode<prompt_part>(row.payload))
      out = std::move(part->text);
    return {};
  });
  return out;
}

/// The recorded call of the role that has most in common with this one.
std::optional<model_record> most_similar(const event_log& log,
                                         const model_call& call,
                                         const request_print& print) {
  std::optional<model_record> out;
  std::size_t best = 0;
  (void)log.for_each([&](const event_row& row) -> result<void> {
    if (row.kind != model_record::type_name) return {};
    auto record = wire::decode<model_record>(row.payload);
    if (!record || !record->answer || record->role != call.role) return {};
    const auto score = 2 * likeness(record->print, print)
                       + (record->number == call.number ? 1 : 0);
    if (out && score <= best) return {};
    best = score;
    out = std::move(*record);
    return {};
  });
  return out;
}

std::string text_of(const std::vector<request_part>& parts,
                    const std::string& hash) {
  const auto found =
      std::ranges::find(parts, hash, [](const auto& one) { return one.hash; });
  return found == parts.end() ? std::string{} : found->content.text;
}

/// How the call differs from a recorded one. Empty if it does not, but for a
/// seed that follows from the job.
std::string compare(const event_log& log, const model_record& recorded,
                    const model_call& call, const request_print& print) {
  const auto parts = parts_of(call, print);
  auto was = recorded.print;
  auto where = first_difference(was, print);
  auto before = part_text(log, where.recorded);
  if (recorded.job != call.job && before
      && equal_but_for_seed(*before, text_of(parts, where.asked))) {
    was.settings = print.settings;
    where = first_difference(was, print);
    before = part_text(log, where.recorded);
  }
  if (where.where.empty()) return {};
  return difference_text(where, before ? &*before : nullptr,
                         text_of(parts, where.asked));
}

/// Whether the job's calls are on record up to this one, and none from it on.
bool ends_before(const recording_index& index, const model_call& call) {
  if (call.number == 0) return false;
  const auto next = index.by_place.lower_bound({call.job, call.number});
  return (next == index.by_place.end() || next->first.job != call.job)
         && index.by_place.contains({call.job, call.number - 1});
}

} // namespace

std::string recorded_difference(const event_log& log,
                                const recording_index& index,
                                const model_call& call,
                                const request_print& print,
                                const std::string& place) {
  const auto same = index.by_place.find({call.job, call.number});
  if (same != index.by_place.end()) {
    const auto row = log.read(same->second);
    if (!row) return row.error().message;
    const auto record = wire::decode<model_record>(row->payload);
    if (!record) return record.error().message;
    return fmt::format("{} differs from the recording: {}", place,
                       compare(log, *record, call, print));
  }
  if (ends_before(index, call))
    return fmt::format("the recording ends here: it has the earlier calls of "
                       "this job and not {}, so the recorded run was stopped "
                       "then, had no answer, or asked no more",
                       place);
  const auto other = most_similar(log, call, print);
  if (!other)
    return fmt::format("the recording has no call of the {}, so not {}",
                       call.role, place);
  const auto how = compare(log, *other, call, print);
  return fmt::format("the recording has no {}; {}", place,
                     how.empty()
                         ? fmt::format("an equal request is call {} of job {}",
                                       other->number + 1, other->job.value)
                         : "the most similar recorded call differs: " + how);
}

} // namespace brewery
