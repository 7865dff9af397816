#include "learners/muse/muse_learner.hpp"

#include "kb/knowledge_base.hpp"
#include "kb/muse/memory_text.hpp"
#include "learners/muse/learning.hpp"
#include "learners/muse/muse_serving.hpp"

#include <fmt/format.h>

namespace brewery::muse {

muse_learner::muse_learner(muse_settings settings) {
  settings.playing.method = muse_method;
  state_.memory_now = settings.first;
  settings_ = std::make_shared<const muse_settings>(std::move(settings));
}

std::shared_ptr<learner_machine> muse_learner::learning() {
  return std::make_shared<muse_learning>(settings_, state_);
}

search_outcome muse_learner::outcome() const {
  search_outcome out;
  out.strategy = name();
  out.initial_success = state_.first_success;
  for (auto& text : documents_of(state_.memory_now)) {
    const auto doc = settings_->documents->add(std::move(text));
    document_outcome one;
    one.about.id = concept_id{static_cast<std::uint32_t>(out.documents.size())};
    one.about.title = heading_of(doc->body);
    one.best.hash = doc->hash;
    out.documents.push_back(std::move(one));
  }
  return out;
}

std::vector<std::shared_ptr<serving_machine>>
muse_learner::serving(const evaluated_tasks& what) {
  // The machines refer to these.
  state_.served = {{.name = "muse, no memory", .points = {}, .partial = {}},
                   {.name = "learned, muse", .points = {}, .partial = {}}};
  return {std::make_shared<muse_serving>(
              state_.served[1].name, what, settings_,
              knowledge_of(state_.memory_now, *settings_), state_.served[1]),
          std::make_shared<muse_serving>(state_.served[0].name, what, settings_,
                                         std::vector<doc_ref>{},
                                         state_.served[0])};
}

std::string muse_learner::report() const {
  const auto& how = settings_->how;
  std::string out = "## Memory\n\n";
  out += fmt::format(
      "{} strategies, {} procedures of {} applications, notes on {} tools. "
      "{} train tasks in their order, {} iterations, {} at a time; the memory "
      "is carried from each to the next. Lessons are drawn from grades of "
      "train tasks: {}. The verifier is {}.\n",
      state_.memory_now.strategies.size(), state_.memory_now.procedures.size(),
      applications(state_.memory_now).size(), state_.memory_now.tools.size(),
      settings_->playing.train.size(), how.iterations, how.batch,
      how.grades == "train" ? "yes" : "no", how.verify ? "on" : "off");
  for (const auto& why : state_.refused)
    out += fmt::format("\n- refused: {}", why);
  if (state_.refusals > 0)
    out += fmt::format("\n- {} refused in all\n", state_.refusals);
  if (!state_.iterations.empty())
    out +=
        "\n### Train tasks, by iteration\n\n" + scores_text(state_.iterations);
  if (!state_.served.empty() && state_.served.front().attempts > 0)
    out +=
        "\n### Evaluated tasks, memory frozen\n\n" + scores_text(state_.served);
  return out;
}

} // namespace brewery::muse
