#include "actors/reply_index.hpp"

#include <algorithm>

namespace brewery {

namespace {

/// What a reply had when it was cut; 0 if it is whole.
std::uint64_t length_if_cut(const model_answer& answer) {
  const auto* chat = std::get_if<chat_reply>(&answer.reply);
  if (!chat || chat->finish != chat_finish::length) return 0;
  return std::max<std::uint64_t>(1, chat->usage.completion);
}

std::uint32_t count_in(const std::map<std::string, std::uint32_t>& counts,
                       const std::string& key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

} // namespace

void reply_index::add(const model_record& record, std::uint64_t event) {
  if (!record.answer) return;
  replies_[record.key].push_back(
      {event, {record.job, record.number}, length_if_cut(*record.answer)});
}

std::uint64_t reply_index::find(const std::string& key, const call_place& from,
                                std::uint32_t max_tokens) const {
  const auto found = replies_.find(key);
  if (found == replies_.end()) return 0;
  const auto& replies = found->second;
  const auto answers = [&](const kept_reply& one) {
    return one.cut_at == 0 || one.place == from
           || (max_tokens > 0 && max_tokens <= one.cut_at);
  };
  const auto latest = std::find_if(replies.rbegin(), replies.rend(), answers);
  return latest == replies.rend() ? 0 : latest->event;
}

std::uint64_t reply_index::reject(const job_id& job, const std::string& key) {
  const auto found = replies_.find(key);
  if (found == replies_.end()) return 0;
  const auto latest = found->second.back().event;
  rejected_[job].insert_or_assign(key, latest);
  return latest;
}

void reply_index::reject_until(const job_id& job, const std::string& key,
                               std::uint64_t event) {
  if (replies_.contains(key)) rejected_[job].insert_or_assign(key, event);
}

/// Another job may have been given a better reply to the same call since.
bool reply_index::ask_anew(const job_id& job) {
  const auto rejected = rejected_.extract(job);
  if (rejected.empty()) return false;
  for (const auto& [key, latest] : rejected.mapped()) {
    const auto found = replies_.find(key);
    if (found == replies_.end()) continue;
    const auto gone =
        std::erase_if(found->second, [until = latest](const auto& one) {
          return one.event <= until;
        });
    if (gone > 0) ++dropped_[key];
    if (found->second.empty()) replies_.erase(found);
  }
  return true;
}

std::uint32_t reply_index::dropped(const std::string& key) const {
  return count_in(dropped_, key);
}

std::uint32_t reply_index::stops(const std::string& key) const {
  return count_in(stops_, key);
}

std::uint32_t reply_limit(const model_call& call) {
  const auto* chat = std::get_if<chat_request>(&call.request);
  return chat ? chat->max_tokens : 0;
}

} // namespace brewery
