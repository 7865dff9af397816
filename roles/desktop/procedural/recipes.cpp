#include "roles/desktop/procedural/recipes.hpp"

#include "roles/desktop/procedural/desktop_reflector.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace brewery::desktop {

namespace {

using word_set = std::set<std::string>;

/// All attempts with one list of moves in one place.
struct way {
  recipe content;
  std::map<word_set, std::pair<std::uint32_t, std::uint32_t>>
      attempts;                ///< met and missed, by the words of the task
  std::set<std::string> tasks; ///< ids of those that it met
};

using way_key = std::pair<std::string, std::vector<std::string>>;

bool has_all(const word_set& words, const std::vector<std::string>& wanted) {
  return std::ranges::all_of(
      wanted, [&](const auto& word) { return words.contains(word); });
}

class recipe_finder {
public:
  recipe_finder(const recipe_options& options, rng& draw)
      : options_(options), draw_(draw) {}

  void read(const told_insights& insights) {
    for (const auto& told : insights) {
      const auto& fact = told.item->fact;
      if (fact.kind != moves_fact || fact.before.size() != 1
          || fact.actions.empty())
        continue;
      const word_set words(fact.context.begin(), fact.context.end());
      all_tasks_.insert(words);
      auto& item = ways_[{fact.before.front(), fact.actions.items()}];
      auto& [met, missed] = item.attempts[words];
      (fact.met ? met : missed) += told.count;
      if (!fact.met) continue;
      for (const auto& [task, count] : told.tasks)
        item.tasks.insert(task->value);
      item.content.sources.push_back(told.item->id);
      if (item.content.example.empty())
        item.content.example = told.item->sentence;
    }
  }

  std::vector<recipe> run() {
    std::vector<way*> good;
    for (auto& [key, item] : ways_) {
      if (item.tasks.empty()) continue;
      auto& content = item.content;
      content.place = key.first;
      content.moves = key.second;
      content.tasks = static_cast<std::uint32_t>(item.tasks.size());
      choose_words(item);
      if (share(content) >= options_.min_share) good.push_back(&item);
    }
    std::ranges::sort(good, [](const way* a, const way* b) {
      return rank(a->content) < rank(b->content);
    });
    std::vector<recipe> out;
    std::set<std::string> covered;
    for (auto* item : good) {
      const bool new_task =
          std::ranges::any_of(item->tasks, [&](const auto& task) {
            return !covered.contains(task);
          });
      if (!new_task || draw_.uniform() < options_.other_way) continue;
      covered.insert(item->tasks.begin(), item->tasks.end());
      out.push_back(std::move(item->content));
    }
    return out;
  }

private:
  static double share(const recipe& item) {
    return static_cast<double>(item.met)
           / std::max(1.0, static_cast<double>(item.met + item.missed));
  }

  static std::tuple<double, double, std::size_t, way_key>
  rank(const recipe& item) {
    return {-1.0 * item.tasks,
            -share(item),
            item.moves.size(),
            {item.place, item.moves}};
  }

  /// Words that all tasks have that were met. One after the other the one that
  /// the fewest of the remaining other tasks have. Then counts the attempts at
  /// tasks with these words.
  void choose_words(way& item) const {
    std::vector<const word_set*> others;
    std::optional<word_set> met;
    for (const auto& words : all_tasks_) {
      const auto tried = item.attempts.find(words);
      if (tried == item.attempts.end() || tried->second.first == 0) {
        others.push_back(&words);
        continue;
      }
      if (!met) met = words;
      std::erase_if(*met,
                    [&](const auto& word) { return !words.contains(word); });
    }
    auto shared = met.value_or(word_set{});
    const auto all_others = others;
    auto& content = item.content;
    while (content.words.size() < options_.most_words && !shared.empty()
           && (!others.empty() || content.words.size() < options_.least_words))
      content.words.push_back(take_telling(shared, others, all_others));
    std::ranges::sort(content.words);
    for (const auto& [words, counts] : item.attempts)
      if (has_all(words, content.words)) {
        content.met += counts.first;
        content.missed += counts.second;
      }
  }

  /// Of words that as few of `others` have, the one that is the rarest.
  static std::string take_telling(word_set& shared,
                                  std::vector<const word_set*>& others,
                                  const std::vector<const word_set*>& all) {
    const auto with = [&](const std::string& word) {
      const auto has = [&](const auto* words) { return words->contains(word); };
      return std::pair{std::ranges::count_if(others, has),
                       std::ranges::count_if(all, has)};
    };
    const auto best =
        *std::ranges::min_element(shared, [&](const auto& a, const auto& b) {
          return with(a) < with(b);
        });
    std::erase_if(others,
                  [&](const auto* words) { return !words->contains(best); });
    shared.erase(best);
    return best;
  }

  const recipe_options& options_;
  rng& draw_;
  std::map<way_key, way> ways_;
  std::set<word_set> all_tasks_;
};

} // namespace

std::vector<recipe> find_recipes(const told_insights& insights,
                                 const recipe_options& options, rng& draw) {
  recipe_finder finder{options, draw};
  finder.read(insights);
  return finder.run();
}

} // namespace brewery::desktop
