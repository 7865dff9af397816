// What a coordinator spends on the results of a run, in processor time of one
// thread: reading each as a worker sent it, sharing its insights, and forming
// concepts from those of first attempts. The results are those of a run's log.
// Texts have drawn vectors in place of an embedder's, so concepts are others
// than the run's, from the same insights. The hash tells whether two versions
// of the program make the same of them.
//
//   build/release/bench/results_bench DIRECTORY_OF_A_RUN

#include "base/compression.hpp"
#include "base/hash.hpp"
#include "base/rng.hpp"
#include "cluster/packed_result.hpp"
#include "learners/brew/concepts.hpp"
#include "messages/insight_store.hpp"
#include "store/event_log.hpp"

#include <fmt/format.h>

#include <ctime>
#include <set>

namespace {

using namespace brewery;

double spent() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec)
         + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// As workers sent them.
result<std::vector<std::string>> results_in(const std::string& run) {
  auto log = event_log::open_for_reading(run);
  if (!log) return log.error();
  std::vector<std::string> out;
  const auto done = (*log)->for_each([&](const event_row& row) -> result<void> {
    if (row.kind == job_result::type_name) out.push_back(compress(row.payload));
    return {};
  });
  if (!done) return done.error();
  return out;
}

/// Shares the insights of all, and returns the rollouts that gave some.
std::vector<rollout_result> take(const std::vector<std::string>& results) {
  insight_store store;
  std::vector<rollout_result> out;
  double reading = 0, sharing = 0;
  std::size_t insights = 0;
  for (const auto& bytes : results) {
    const auto began = spent();
    auto answer = unpack_result(bytes);
    const auto read = spent();
    if (!answer) continue; // more than a worker may send
    auto brief = store.shared(std::move(answer->brief));
    reading += read - began;
    sharing += spent() - read;
    auto* rollout = std::get_if<rollout_result>(&brief.output);
    if (!rollout || rollout->insights.empty()) continue;
    insights += rollout->insights.size();
    out.push_back(std::move(*rollout));
  }
  const auto each =
      1e6 / static_cast<double>(std::max<std::size_t>(results.size(), 1));
  fmt::print("{} results, {} insights, {} of them different\n", results.size(),
             insights, store.insights());
  fmt::print("reading a result {:.1f} us\nsharing its insights {:.1f} us\n",
             reading * each, sharing * each);
  return out;
}

std::vector<std::vector<double>>
drawn_vectors(const std::vector<std::string>& texts) {
  std::vector<std::vector<double>> out;
  for (const auto& text : texts) {
    rng draw{rng_key(1, text)};
    auto& vector = out.emplace_back(64);
    for (auto& x : vector)
      x = static_cast<double>(draw.below(2001)) / 1000 - 1;
  }
  return out;
}

void form(const std::vector<rollout_result>& rollouts) {
  std::set<task_id> ids;
  for (const auto& rollout : rollouts)
    ids.insert(rollout.task);
  std::vector<learner_task> tasks;
  for (const auto& id : ids)
    tasks.push_back({id, id.value, 0});
  constexpr double threshold = 0.7;
  const concept_inputs in{rollouts, tasks, tasks, threshold, 22, {}, 1};
  auto began = spent();
  const said_insights said{rollouts};
  const auto texts = texts_to_embed(in, said);
  auto forming = spent() - began;
  const auto vectors = drawn_vectors(texts);
  began = spent();
  auto made = form_concepts(in, said, vectors);
  forming += spent() - began;
  if (!made) return fmt::print("{}\n", made.error().message);
  const auto documents = std::make_shared<document_store>();
  std::string parts;
  began = spent();
  for (auto& formed : *made) {
    const auto told = formed.insights.tell({}, {}, documents);
    for (const auto& part : told.reference()->parts)
      parts += part.value;
  }
  const auto packing = spent() - began;
  const auto each =
      1e6 / static_cast<double>(std::max<std::size_t>(rollouts.size(), 1));
  fmt::print("of {} attempts, {} concepts: forming {:.1f} us each, packing "
             "their insights {:.1f} us\nhash of what was packed {}\n",
             rollouts.size(), made->size(), forming * each, packing * each,
             content_hash(parts));
}

} // namespace

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "usage: results_bench DIRECTORY_OF_A_RUN\n");
    return 2;
  }
  const auto results = results_in(words[1]);
  if (!results) {
    fmt::print(stderr, "{}\n", results.error().message);
    return 1;
  }
  form(take(*results));
  return 0;
}
