/// What the machine of Agent KB does with experiences that solve one problem in
/// two ways (the paper's Merge and Select): an arbiter is asked about each
/// pair, what it makes of both gets vectors, and the base takes it.

#include "learners/agent_kb/learning.hpp"

#include <fmt/format.h>

#include <charconv>

namespace brewery {

namespace {

using machine = agent_kb_learner::learning_machine;

/// The experience of both, if they are more compatible than `least`.
std::optional<experience> merged_in(const memory_result* made, double least) {
  if (!made) return std::nullopt;
  const auto said = texts_of(made->texts, memory_texts::compatibility);
  const auto texts = texts_of(made->texts, memory_texts::experience);
  if (said.empty() || texts.empty()) return std::nullopt;
  double value = 0;
  std::from_chars(said.front().data(),
                  said.front().data() + said.front().size(), value);
  if (!(value > least)) return std::nullopt;
  auto item = read_experience(texts.front());
  return item ? std::optional{std::move(*item)} : std::nullopt;
}

} // namespace

learner_step machine::ask_arbiter() {
  rivals_ = base_.take_rivals();
  phase_ = phase::arbitrating;
  answers_.clear();
  order_.clear();
  learner_step out;
  for (const auto& [a, b] : rivals_) {
    memory_job work;
    work.learner = agent_kb_role;
    work.step = agent_kb_steps::merge;
    work.seed = of_.search_.seed;
    work.fingerprint = of_.search_.fingerprint;
    for (const auto& hash : {a, b}) {
      const auto& item = base_.held().at(hash);
      work.texts.push_back(
          {memory_texts::experience, to_markdown(item.what.content)});
      work.texts.push_back(
          {memory_texts::quality, fmt::format("{:.3f}", item.stats.quality)});
    }
    work.id = identity(work);
    await(out.jobs, make_job(std::move(work)), false);
  }
  return out.jobs.empty() ? close_barrier() : out;
}

learner_step machine::ask_merged_places() {
  candidates_.clear();
  std::vector<std::pair<doc_hash, doc_hash>> compatible;
  for (std::size_t i = 0; i < rivals_.size(); ++i) {
    const auto& [a, b] = rivals_[i];
    auto both =
        merged_in(std::get_if<memory_result>(&answers_.at(order_[i])->output),
                  of_.options_.compatible);
    if (!both) {
      base_.select(a, b);
      continue;
    }
    compatible.emplace_back(a, b);
    const auto doc = of_.documents_->add(to_markdown(*both));
    candidates_.push_back({doc->hash, std::move(*both), {}});
  }
  rivals_ = std::move(compatible);
  phase_ = phase::merging;
  auto out = ask_vectors();
  return out.jobs.empty() ? close_barrier() : out;
}

learner_step machine::merge_placed() {
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const auto& [a, b] = rivals_[i];
    if (take_vectors(i))
      base_.merge(a, b, std::move(candidates_[i]));
    else
      base_.select(a, b);
  }
  return close_barrier();
}

} // namespace brewery
