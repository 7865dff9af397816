#include "llm/accounts/reply_notes.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <utility>

namespace brewery {

namespace {

/// What happened to `count` replies. A kind of a newer release is shown as it
/// is.
std::string what_text(const std::string& what, std::uint64_t count) {
  using namespace reply_trouble;
  struct phrase {
    std::string_view kind, one, many;
  };
  static constexpr phrase phrases[] = {
      {rejected, "reply not usable, nor the one after it",
       "replies not usable, nor the ones after them"},
      {refused, "request refused", "requests refused"},
      {dropped, "insight dropped", "insights dropped"},
      {cut, "reply cut off", "replies cut off"},
      {words, "reply of words instead of a call",
       "replies of words instead of a call"},
      {shortened, "document cut to its limit", "documents cut to their limit"},
      {left_out, "document written from the best supported insights only",
       "documents written from the best supported insights only"},
      {lost, "document without some facts or insights",
       "documents without some facts or insights"},
      {repaired, "reply asked for again", "replies asked for again"},
      {bad_arguments, "call with unreadable arguments",
       "calls with unreadable arguments"},
      {overflowed, "conversation longer than the context",
       "conversations longer than the context"}};
  for (const auto& one : phrases)
    if (one.kind == what)
      return fmt::format("{} {}", count, count == 1 ? one.one : one.many);
  return fmt::format("{} {}", count, single_line(what));
}

} // namespace

std::vector<reply_note> notes_of(const job_result& answer) {
  if (const auto* memory = std::get_if<memory_result>(&answer.output))
    return memory->notes;
  if (const auto* rollout = std::get_if<rollout_result>(&answer.output))
    return rollout->notes;
  if (const auto* made = std::get_if<integrate_result>(&answer.output))
    return made->notes;
  return {};
}

std::vector<note_total> total_of(const job_notes& notes) {
  std::map<std::pair<std::string, std::string>, note_total> sums;
  for (const auto& [job, all] : notes)
    for (const auto& note : all) {
      auto& total = sums[{note.role, note.what}];
      if (total.jobs++ == 0)
        total.sum = note;
      else
        total.sum.count += note.count;
    }
  std::vector<note_total> out;
  for (auto& [key, total] : sums)
    out.push_back(std::move(total));
  return out;
}

std::string note_text(const reply_note& note) {
  return fmt::format("{}: {}; the first: {}", single_line(note.role),
                     what_text(note.what, note.count),
                     single_line(note.reason));
}

std::string note_text(const note_total& total,
                      const std::map<std::string, std::string>& asked) {
  const auto& sum = total.sum;
  const auto where = asked.find(sum.role);
  return fmt::format("{}{}: {} in {}; the first: {}", single_line(sum.role),
                     where == asked.end() ? std::string{}
                                          : " (" + where->second + ")",
                     what_text(sum.what, sum.count), counted(total.jobs, "job"),
                     single_line(sum.reason));
}

nlohmann::ordered_json notes_json(const std::vector<note_total>& totals) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& total : totals)
    out.push_back({{"role", printable(total.sum.role)},
                   {"what", printable(total.sum.what)},
                   {"count", total.sum.count},
                   {"jobs", total.jobs},
                   {"reason", printable(total.sum.reason)}});
  return out;
}

} // namespace brewery
