#include "learners/brew/concept_vectors.hpp"

#include "learners/clustering.hpp"
#include "messages/flat_map.hpp"
#include "messages/read_ahead.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace brewery {

std::vector<double> scaled_to_one(std::vector<double> vector) {
  double square = 0;
  for (const double x : vector)
    square += x * x;
  if (square > 0)
    for (double& x : vector)
      x /= std::sqrt(square);
  return vector;
}

void add_to(std::vector<double>& sum, const std::vector<double>& vector) {
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] += vector[i];
}

distinct_insights::distinct_insights(
    const std::vector<rollout_result>& rollouts) {
  flat_map<std::uint32_t> known; // by where they are
  const auto place_of = [](const shared_value<insight>& item) {
    return reinterpret_cast<std::uintptr_t>(&*item);
  };
  for (const auto& rollout : rollouts) {
    for (const auto& item : rollout.insights)
      known.prefetch(place_of(item));
    for (const auto& item : rollout.insights) {
      const auto place = place_of(item);
      const auto [number, first] = known.try_emplace(place);
      if (first) {
        *number = static_cast<std::uint32_t>(items_.size());
        items_.push_back(&*item);
        counts_.push_back(0);
      }
      ++counts_[*number];
      numbers_.push_back(*number);
    }
  }
}

insight_texts texts_of(const distinct_insights& insights) {
  std::unordered_map<std::string_view, std::uint32_t> topics; // as they came
  std::unordered_set<std::string_view> sentences;
  insight_texts out;
  const auto& items = insights.items();
  read_ahead(
      items.size(), [&](std::size_t i) -> const auto& { return *items[i]; },
      [](const insight& item) -> auto& { return item.topic; },
      [&](std::size_t i) {
        const auto number = static_cast<std::uint32_t>(topics.size());
        out.topic_of.push_back(
            topics.try_emplace(items[i]->topic, number).first->second);
        if (is_sentence(*items[i])) sentences.insert(items[i]->sentence);
      });
  for (const auto& [topic, number] : topics)
    out.topics.emplace_back(topic);
  std::sort(out.topics.begin(), out.topics.end());
  std::vector<std::uint32_t> places(topics.size()); // by number
  for (std::size_t i = 0; i < places.size(); ++i)
    places[topics.at(out.topics[i])] = static_cast<std::uint32_t>(i);
  out.counts.resize(places.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    out.topic_of[i] = places[out.topic_of[i]];
    out.counts[out.topic_of[i]] += insights.counts()[i];
  }
  out.sentences.assign(sentences.begin(), sentences.end());
  std::sort(out.sentences.begin(), out.sentences.end());
  return out;
}

concept_vectors::concept_vectors(const distinct_insights& insights,
                                 const insight_texts& texts, vector_list names,
                                 const vector_list& sentences)
    : names_(std::move(names)), topics_(names_), insights_of_(names_.size()) {
  if (texts.sentences.empty()) return;
  const auto place = [](const std::vector<std::string>& all,
                        const std::string& one) {
    return static_cast<std::size_t>(
        std::lower_bound(all.begin(), all.end(), one) - all.begin());
  };
  for (const auto* item : insights.items())
    if (is_sentence(*item)) {
      insights_.emplace(item->id,
                        sentences[place(texts.sentences, item->sentence)]);
      insights_of_[place(texts.topics, item->topic)].insert(item->id);
    }
  for (std::size_t t = 0; t < topics_.size(); ++t) {
    if (insights_of_[t].empty()) continue;
    auto both = scaled_to_one(names_[t]);
    add_to(both, mean_of(insights_of_[t]));
    topics_[t] = scaled_to_one(std::move(both));
  }
}

std::vector<double>
concept_vectors::mean_of(const std::set<insight_id>& insights) const {
  std::vector<double> sum(names_.front().size(), 0.0);
  for (const auto& id : insights)
    add_to(sum, insights_.at(id));
  return scaled_to_one(std::move(sum));
}

std::size_t concept_vectors::title_of(const std::vector<std::size_t>& topics,
                                      std::size_t otherwise) const {
  std::set<insight_id> all;
  for (const auto topic : topics)
    all.insert(insights_of_[topic].begin(), insights_of_[topic].end());
  if (all.empty()) return otherwise;
  const auto mean = mean_of(all);
  auto best = topics.front();
  double most = -2;
  for (const auto topic : topics) {
    const double near = cosine(names_[topic], mean);
    if (near > most + 1e-12) {
      most = near;
      best = topic;
    }
  }
  return best;
}

} // namespace brewery
