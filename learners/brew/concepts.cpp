#include "learners/brew/concepts.hpp"

#include "base/rng.hpp"
#include "base/text.hpp"
#include "learners/brew/integration.hpp"
#include "learners/clustering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

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

using letter_set = std::array<bool, 256>;

/// Letters, digits and '_', which keeps the words of an identifier together.
constexpr auto word_letters = [] {
  letter_set out{};
  for (const char c : std::string_view{"abcdefghijklmnopqrstuvwxyz"
                                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789_"})
    out[static_cast<unsigned char>(c)] = true;
  return out;
}();

bool in_word(char c) {
  return word_letters[static_cast<unsigned char>(c)];
}

/// Calls `f` with each word of a text that begins with one of these letters.
template <class F>
void each_word(std::string_view text, const letter_set& begins, F f) {
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool before = std::exchange(inside, in_word(text[i]));
    if (before || !begins[static_cast<unsigned char>(text[i])]) continue;
    const auto* end = std::find_if_not(text.begin() + i, text.end(), in_word);
    f(text.substr(i, static_cast<std::size_t>(end - text.begin()) - i));
  }
}

/// `small` has no capitals if it is the same.
bool same_letters(std::string_view small, std::string_view word) {
  return std::equal(small.begin(), small.end(), word.begin(), word.end(),
                    [](char s, char w) {
                      return s == (w >= 'A' && w <= 'Z' ? w - 'A' + 'a' : w);
                    });
}

/// The topic as a title. A word that the insights mostly write in capitals gets
/// them: "sim status" -> "SIM status".
std::string title_of(const std::string& topic, const insight_pool& insights) {
  const auto words = split(topic, ' ');
  std::vector<int> capitals(words.size()); // more often with than without
  letter_set begins{};
  for (const auto word : words)
    if (!word.empty() && in_word(word[0]))
      for (const char c : {word[0], capital(word[0])})
        begins[static_cast<unsigned char>(c)] = true;
  insights.each_sentence([&](std::string_view sentence) {
    each_word(sentence, begins, [&](std::string_view word) {
      for (std::size_t i = 0; i < words.size(); ++i)
        if (same_letters(words[i], word))
          capitals[i] += all_capitals(word) ? 1 : -1;
    });
  });
  std::vector<std::string> title{words.begin(), words.end()};
  for (std::size_t i = 0; i < title.size(); ++i)
    if (capitals[i] > 0)
      std::transform(title[i].begin(), title[i].end(), title[i].begin(),
                     capital);
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

/// Assigns insights, and the tasks they come from, to the concepts.
void assign_insights(std::vector<formed_concept>& made,
                     const std::vector<rollout_result>& rollouts,
                     const distinct_insights& insights,
                     const insight_texts& texts,
                     const insight_vectors& vectors) {
  std::vector<concept_record> records;
  for (const auto& item : made)
    records.push_back(item.record);
  std::vector<std::uint32_t> concept_of; // by topic
  const auto map = topic_map(records);
  for (const auto& topic : texts.topics)
    concept_of.push_back(map.at(topic).value);
  std::vector<std::uint32_t> belongs; // by number
  belongs.reserve(insights.items().size());
  for (const auto topic : texts.topic_of)
    belongs.push_back(concept_of[topic]);
  for (std::size_t i = 0; i < belongs.size() && !vectors.empty(); ++i)
    if (const auto& item = *insights.items()[i]; is_sentence(item))
      made[belongs[i]].vectors.emplace(item.id, vectors.at(item.id));
  constexpr auto nowhere = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> places(belongs.size(), nowhere); // in its pool
  auto number = insights.numbers().begin();
  std::vector<std::set<task_id>> contributed(made.size());
  std::vector<insight_pool*> pools;
  for (auto& item : made)
    pools.push_back(&item.insights.change());
  for (const auto& rollout : rollouts) {
    const insight_source from{rollout.id, rollout.task, rollout.grade.reward,
                              0};
    std::vector<std::uint32_t> here(made.size(), nowhere); // by concept
    for (const auto& item : rollout.insights) {
      const auto k = belongs[*number];
      auto& place = places[*number++];
      if (place == nowhere) place = pools[k]->place_of(item);
      if (here[k] == nowhere) here[k] = pools[k]->place_of(from);
      pools[k]->add(place, here[k]);
    }
    for (std::size_t k = 0; k < made.size(); ++k)
      if (here[k] != nowhere) contributed[k].insert(rollout.task);
  }
  for (std::size_t k = 0; k < made.size(); ++k)
    made[k].record.train_tasks.assign(contributed[k].begin(),
                                      contributed[k].end());
}

} // namespace

std::vector<std::string> texts_to_embed(const concept_inputs& in,
                                        const said_insights& said) {
  auto texts = said.texts.topics;
  for (const auto& task : in.train)
    texts.push_back(task.instruction);
  for (const auto& task : in.eval)
    texts.push_back(task.instruction);
  const auto& sentences = said.texts.sentences;
  texts.insert(texts.end(), sentences.begin(), sentences.end());
  return texts;
}

result<std::vector<formed_concept>>
form_concepts(const concept_inputs& in, const said_insights& said,
              const std::vector<std::vector<double>>& vectors) {
  const auto& [insights, texts] = said;
  const auto& topics = texts.topics;
  const auto first_sentence = topics.size() + in.train.size() + in.eval.size();
  const auto expected = first_sentence + texts.sentences.size();
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
  const concept_vectors space{insights,
                              texts,
                              {vectors.begin(), at(topics.size())},
                              {at(first_sentence), vectors.end()}};
  const auto clusters = cluster_by_similarity(
      space.topics(), in.cluster_threshold, {in.max_concepts, texts.counts});
  if (!clusters) return clusters.error();
  std::vector<formed_concept> made;
  for (const auto& cluster : *clusters) {
    formed_concept item;
    item.record.id = {static_cast<std::uint32_t>(made.size())};
    for (const auto member : cluster.members)
      item.record.topics.push_back(topics[member]);
    made.push_back(std::move(item));
  }
  assign_insights(made, in.rollouts, insights, texts, space.insights());
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
