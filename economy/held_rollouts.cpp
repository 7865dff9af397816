// The part of rollout_reuse that waits for the vectors of texts.

#include "economy/rollout_reuse.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace brewery {

namespace {

void append(reuse_step& to, reuse_step more) {
  const auto move = [](auto& into, auto& from) {
    into.insert(into.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
  };
  move(to.play, more.play);
  move(to.stand, more.stand);
  move(to.checked, more.checked);
  move(to.embed, more.embed);
}

} // namespace

void rollout_reuse::want(reuse_step& out, const std::string& text) {
  if (!options_.replay.by_vectors || vectors_->find(text)
      || unembeddable_.contains(text))
    return;
  if (wanted_.insert(text).second) out.embed.push_back(text);
}

/// Until all of these texts have vectors. It is played if one can have none.
void rollout_reuse::hold(reuse_step& out, job work,
                         const std::vector<std::string>& lacking) {
  for (const auto& text : lacking) {
    if (unembeddable_.contains(text))
      return out.play.push_back(std::move(work));
    want(out, text);
  }
  held_for_[work.id] = lacking.front();
  held_[lacking.front()].push_back(std::move(work));
}

std::optional<job> rollout_reuse::unhold(const job_id& id) {
  const auto text = held_for_.extract(id);
  if (text.empty()) return std::nullopt;
  auto& jobs = held_[text.mapped()];
  const auto found = std::find_if(jobs.begin(), jobs.end(),
                                  [&](const job& one) { return one.id == id; });
  auto out = std::move(*found);
  jobs.erase(found);
  return out;
}

reuse_step rollout_reuse::embedded(const std::string& text, text_vector made) {
  reuse_step out;
  wanted_.erase(text);
  if (made) {
    questions_ += made->size() * sizeof(double) / question_bytes;
    vectors_->add(text, std::move(made));
  } else {
    unembeddable_.insert(text);
  }
  auto jobs = held_.extract(text);
  if (jobs.empty()) return out;
  for (const auto& work : jobs.mapped())
    held_for_.erase(work.id);
  for (auto& work : jobs.mapped())
    append(out, ask(std::move(work)));
  return out;
}

} // namespace brewery
