#include "web/export/rollout_answers.hpp"

#include "web/export/answer_pages.hpp"
#include "web/rollout_pages.hpp"
#include "web/screenshot_answer.hpp"

#include <algorithm>
#include <numeric>

namespace brewery::web {

namespace {

/// That an answer takes at most.
std::uint64_t bytes_of(const answer_key& key, const json& answer) {
  constexpr std::uint64_t around = 64; // the call that has the answer
  return to_text(key.text()).size() + to_text(to_text(answer)).size() + around;
}

} // namespace

result<void> rollout_answers::read_list() {
  constexpr std::uint64_t mark_bytes = 32; // "left_out" in a row
  return each_page(
      {{"runs", id_, "rollouts"}},
      [&](const page& asked) { return rollouts_json(run_, {}, asked); },
      [&](const answer_key& key, const json& answer) -> result<void> {
        list_bytes_ += bytes_of(key, answer);
        each_item(answer, [&](const json& one) {
          list_bytes_ += mark_bytes;
          jobs_.push_back({one["id"].get<std::string>(),
                           one["task"].get<std::string>(),
                           one["trial"].get<std::uint32_t>(),
                           one["arms"].get<std::vector<std::string>>()});
        });
        list_.emplace_back(key, answer);
        return {};
      });
}

result<json> rollout_answers::head_of(const std::string& job) const {
  auto made = rollout_page_json(run_, job, page{.offset = 0, .limit = 1});
  if (!made && made.error().code == ec::not_found)
    return json{{"error", made.error().message}};
  if (!made) return made.error();
  (*made)["total"] = 0;
  for (const char* much : {"items", "insights", "ratings", "notes"})
    (*made)[much] = json::array();
  (*made)["left_out"] = true;
  return made;
}

result<std::vector<std::uint64_t>> rollout_answers::sizes_of_heads() const {
  std::vector<std::uint64_t> out;
  for (const auto& job : jobs_) {
    const auto head = head_of(job.id);
    if (!head) return head.error();
    out.push_back(bytes_of(key_of(job.id), *head));
  }
  return out;
}

result<exported_run> rollout_answers::add(const evidence_rollouts& evidence,
                                          std::uint64_t bytes_max) {
  put_in_order(jobs_, evidence);
  const auto heads = sizes_of_heads();
  if (!heads) return heads.error();
  auto later = std::accumulate(heads->begin(), heads->end(), std::uint64_t{0});
  // Where there is little room, heads do not take it all from what was done.
  const auto taken = files_.bytes() + screenshots_.bytes() + list_bytes_;
  const auto half = (bytes_max - std::min(bytes_max, taken)) / 2;
  bool full = false;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const auto used = files_.bytes() + screenshots_.bytes() + list_bytes_;
    const auto room = bytes_max - std::min(bytes_max, used);
    later -= (*heads)[i]; // those of the rollouts after this one
    const auto kept = std::min(later, half);
    if (!full && room > kept) {
      const auto made = rollout_within(room - kept, jobs_[i].id);
      if (!made) return made.error();
      if (*made) {
        if (auto ok = add_whole(**made); !ok) return ok.error();
        with_steps_.insert(jobs_[i].id);
        continue;
      }
    }
    full = true;
    if ((*heads)[i] > room) continue;
    const auto head = head_of(jobs_[i].id);
    if (!head) return head.error();
    if (auto ok = files_.add(key_of(jobs_[i].id), *head); !ok)
      return ok.error();
  }
  if (auto ok = add_list(); !ok) return ok.error();
  exported_run out;
  out.rollouts = jobs_.size();
  out.with_steps = with_steps_.size();
  out.bytes = screenshots_.bytes();
  return out;
}

/// Empty: it needs more bytes.
result<std::optional<rollout_answers::whole_rollout>>
rollout_answers::rollout_within(std::uint64_t room, const std::string& job) {
  whole_rollout out;
  std::uint64_t bytes = 0;
  const auto look = [&](const json& step) {
    const auto it = step.find("screenshot");
    if (it == step.end() || bytes > room) return;
    const auto hash = it->get<std::string>();
    if (!out.screenshots.insert(hash).second || shown_.contains(hash)) return;
    if (const auto image = read_screenshot(shelf_, id_, hash))
      bytes += image->size();
  };
  const auto ok = each_page(
      key_of(job),
      [&](const page& asked) { return rollout_page_json(run_, job, asked); },
      [&](const answer_key& key, const json& answer) -> result<void> {
        bytes += bytes_of(key, answer);
        if (bytes <= room) out.answers.emplace_back(key, answer);
        each_item(answer, look);
        return {};
      });
  if (!ok) return ok.error();
  if (bytes > room) return std::optional<whole_rollout>{};
  return std::optional{std::move(out)};
}

result<void> rollout_answers::add_whole(const whole_rollout& one) {
  for (const auto& [key, answer] : one.answers)
    if (auto ok = files_.add(key, answer); !ok) return ok;
  for (const auto& hash : one.screenshots) {
    if (auto ok = screenshots_.add(hash); !ok) return ok;
    shown_.insert(hash);
  }
  return {};
}

result<void> rollout_answers::add_list() {
  for (auto& [key, answer] : list_) {
    if (answer.contains("items"))
      for (auto& one : answer["items"])
        if (!with_steps_.contains(one["id"].get<std::string>()))
          one["left_out"] = true;
    if (auto ok = files_.add(key, answer); !ok) return ok;
  }
  list_.clear();
  list_bytes_ = 0;
  return {};
}

} // namespace brewery::web
