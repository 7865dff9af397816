#include "learners/brew/concepts.hpp"

#include "base/rng.hpp"
#include "base/text.hpp"
#include "learners/brew/concept_vectors.hpp"
#include "learners/brew/integration.hpp"
#include "learners/clustering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace brewery {

namespace {

char capital(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

bool all_capitals(std::string_view word) {
  return word.size() > 1 && std::all_of(word.begin(), word.end(), [](char c) {
           return c >= 'A' && c <= 'Z';
         });
}

/// Calls `f` with each word of a text: letters, digits and '_', which keeps the
/// words of an identifier together.
template <class F>
void each_word(std::string_view text, F f) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  while (true) {
    const auto begin = std::min(text.find_first_of(letters), text.size());
    text.remove_prefix(begin);
    if (text.empty()) return;
    const auto end = std::min(text.find_first_not_of(letters), text.size());
    f(text.substr(0, end));
    text.remove_prefix(end);
  }
}

/// The topic as a title. A word that the insights mostly write in capitals gets
/// them: "sim status" -> "SIM status".
std::string title_of(const std::string& topic, const insight_pool& insights) {
  std::map<std::string, int> capitals; // more often with than without
  const auto words = split(topic, ' ');
  for (const auto word : words)
    capitals.emplace(word, 0);
  insights.each([&](const insight& item) {
    each_word(item.sentence, [&](std::string_view word) {
      if (const auto it = capitals.find(lower(word)); it != capitals.end())
        it->second += all_capitals(word) ? 1 : -1;
    });
  });
  std::vector<std::string> title{words.begin(), words.end()};
  for (auto& word : title)
    if (capitals.at(word) > 0)
      std::transform(word.begin(), word.end(), word.begin(), capital);
  auto out = join(title, " ");
  if (!out.empty()) out[0] = capital(out[0]);
  return out;
}

/// The vector of a concept: its topic, and with the same weight the tasks that
/// contributed to it, however many they are.
std::vector<double> profile(const formed_concept& made,
                            const concept_inputs& in,
                            const vector_list& vectors,
                            const std::vector<double>& topic,
                            std::size_t topic_count) {
  std::vector<double> tasks(topic.size(), 0.0);
  for (std::size_t t = 0; t < in.train.size(); ++t) {
    const auto& from = made.record.train_tasks;
    if (std::find(from.begin(), from.end(), in.train[t].id) != from.end())
      add_to(tasks, scaled_to_one(vectors[topic_count + t]));
  }
  auto both = scaled_to_one(topic);
  add_to(both, scaled_to_one(std::move(tasks)));
  return both;
}

void choose_eval_tasks(formed_concept& made, const concept_inputs& in,
                       const std::vector<std::vector<double>>& vectors,
                       const std::vector<double>& about,
                       std::size_t first_eval) {
  struct scored {
    double similarity;
    std::uint64_t tie; ///< spreads tasks with equal instructions
    std::size_t index;
  };
  std::vector<scored> order;
  for (std::size_t e = 0; e < in.eval.size(); ++e)
    order.push_back(
        {cosine(about, vectors[first_eval + e]),
         rng_key(in.seed, "eval", made.record.id.value, in.eval[e].id.value),
         e});
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    if (a.similarity != b.similarity) return a.similarity > b.similarity;
    return a.tie != b.tie ? a.tie < b.tie : a.index < b.index;
  });
  for (const auto& item : order) {
    const auto chosen = made.record.eval_tasks.size();
    if (chosen >= in.eval_choice.max_per_concept) break;
    if (chosen >= in.eval_choice.min_per_concept
        && item.similarity < in.eval_choice.similarity)
      break;
    made.record.eval_tasks.push_back(in.eval[item.index].id);
  }
  std::sort(made.record.eval_tasks.begin(), made.record.eval_tasks.end());
}

/// How many insights each topic has.
std::vector<double> insights_by(const std::vector<std::string>& topics,
                                const std::vector<rollout_result>& rollouts) {
  std::vector<double> out(topics.size(), 0.0);
  for (const auto& rollout : rollouts)
    for (const auto& item : rollout.insights)
      ++out[static_cast<std::size_t>(
          std::lower_bound(topics.begin(), topics.end(), item->topic)
          - topics.begin())];
  return out;
}

/// Assigns insights, and the tasks they come from, to the concepts.
void assign_insights(std::vector<formed_concept>& made,
                     const std::vector<rollout_result>& rollouts,
                     const insight_vectors& vectors) {
  std::vector<concept_record> records;
  for (const auto& item : made)
    records.push_back(item.record);
  const auto map = topic_map(records);
  std::vector<std::set<task_id>> contributed(made.size());
  std::vector<insight_pool*> pools;
  for (auto& item : made)
    pools.push_back(&item.insights.change());
  for (const auto& rollout : rollouts) {
    const insight_source from{rollout.id, rollout.task, rollout.grade.reward,
                              0};
    std::set<std::uint32_t> about;
    for (const auto& item : rollout.insights) {
      const auto k = map.at(item->topic).value;
      pools[k]->add(item, from);
      if (is_sentence(*item))
        made[k].vectors.emplace(item->id, vectors.at(item->id));
      about.insert(k);
    }
    for (const auto k : about)
      contributed[k].insert(rollout.task);
  }
  for (std::size_t k = 0; k < made.size(); ++k)
    made[k].record.train_tasks.assign(contributed[k].begin(),
                                      contributed[k].end());
}

} // namespace

std::vector<std::string> texts_to_embed(const concept_inputs& in) {
  auto texts = topics_of(in.rollouts);
  for (const auto& task : in.train)
    texts.push_back(task.instruction);
  for (const auto& task : in.eval)
    texts.push_back(task.instruction);
  for (auto& sentence : sentences_of(in.rollouts))
    texts.push_back(std::move(sentence));
  return texts;
}

result<std::vector<formed_concept>>
form_concepts(const concept_inputs& in,
              const std::vector<std::vector<double>>& vectors) {
  const auto topics = topics_of(in.rollouts);
  const auto first_sentence = topics.size() + in.train.size() + in.eval.size();
  const auto expected = first_sentence + sentences_of(in.rollouts).size();
  if (vectors.size() != expected)
    return error{ec::malformed,
                 fmt::format("the embedder gave {} vectors for {} texts",
                             vectors.size(), expected)};
  for (const auto& vector : vectors)
    if (vector.size() != vectors.front().size())
      return error{ec::malformed,
                   "the embedder gave vectors of different lengths"};
  if (topics.empty()) return std::vector<formed_concept>{};
  const auto at = [&](std::size_t index) {
    return vectors.begin() + static_cast<std::ptrdiff_t>(index);
  };
  const concept_vectors space{in.rollouts,
                              {vectors.begin(), at(topics.size())},
                              {at(first_sentence), vectors.end()}};
  const auto clusters = cluster_by_similarity(
      space.topics(), in.cluster_threshold,
      {in.max_concepts, insights_by(topics, in.rollouts)});
  if (!clusters) return clusters.error();
  std::vector<formed_concept> made;
  for (const auto& cluster : *clusters) {
    formed_concept item;
    item.record.id = {static_cast<std::uint32_t>(made.size())};
    for (const auto member : cluster.members)
      item.record.topics.push_back(topics[member]);
    made.push_back(std::move(item));
  }
  assign_insights(made, in.rollouts, space.insights());
  const auto first_eval = topics.size() + in.train.size();
  std::vector<std::vector<double>> abouts;
  for (std::size_t k = 0; k < made.size(); ++k) {
    const auto& cluster = (*clusters)[k];
    const auto named = space.title_of(cluster.members, cluster.representative);
    made[k].record.title = title_of(topics[named], made[k].insights.pool());
    made[k].centre = centre_of(space.topics(), cluster.members);
    abouts.push_back(
        profile(made[k], in, vectors, space.topics()[named], topics.size()));
    choose_eval_tasks(made[k], in, vectors, abouts.back(), first_eval);
  }
  name_neighbours(made, abouts);
  return made;
}

std::map<std::string, concept_id>
topic_map(const std::vector<concept_record>& concepts) {
  std::map<std::string, concept_id> map;
  for (const auto& record : concepts)
    for (const auto& topic : record.topics)
      map.emplace(topic, record.id);
  return map;
}

} // namespace brewery
