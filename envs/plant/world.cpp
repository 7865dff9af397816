#include "envs/plant/world.hpp"

#include "base/rng.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>

namespace brewery::plant {

namespace {

constexpr std::size_t status_count = 6;
constexpr std::size_t troubles_per_kind = 2;
/// Of a task: two or three.
constexpr std::size_t min_machines = 2, max_machines = 3;
constexpr double second_fault = 0.5;
/// In a row: then there are hardly any tasks left that are new.
constexpr std::size_t max_repeats = 1000;

class word_maker {
public:
  explicit word_maker(std::uint64_t seed)
      : draw_(rng_key(seed, "plant-words")) {}

  /// Two or three syllables, no word twice.
  std::string next() {
    constexpr std::string_view consonants = "bdfgklmnprstvz", vowels = "aeiou";
    for (;;) {
      std::string word;
      const auto syllables = 2 + draw_.below(2);
      for (std::uint64_t i = 0; i < syllables; ++i) {
        word += consonants[draw_.below(consonants.size())];
        word += vowels[draw_.below(vowels.size())];
      }
      word += consonants[draw_.below(consonants.size())];
      if (used_.insert(word).second) return word;
    }
  }
  std::vector<std::string> next(std::size_t count) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < count; ++i)
      out.push_back(next());
    return out;
  }

private:
  rng draw_;
  std::set<std::string> used_;
};

std::string capital(std::string word) {
  word.front() = static_cast<char>(word.front() - 'a' + 'A');
  return word;
}

named_kind name_kind(const plant_settings& options, std::size_t number,
                     word_maker& words) {
  named_kind out;
  out.name = words.next();
  out.family = number % options.families;
  out.troubles = words.next(troubles_per_kind);
  out.does = make_kind(options, number);
  rng draw{rng_key(options.seed, "plant-statuses", number)};
  for (auto& statuses : out.statuses) {
    std::vector<std::size_t> order(status_count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    draw.shuffle(order);
    std::copy_n(order.begin(), statuses.size(), statuses.begin());
  }
  return out;
}

machine_state faulty(rng& draw) {
  machine_state out;
  out.mode = draw.below(mode_count);
  const auto worse = [&draw] {
    return draw.below(2) == 0 ? reading::low : reading::high;
  };
  const auto first = draw.below(gauge_count);
  out.shown[first] = worse();
  if (draw.uniform() < second_fault)
    out.shown[(first + 1 + draw.below(gauge_count - 1)) % gauge_count] =
        worse();
  return out;
}

/// Deals the kinds in rounds, so that each is in as many tasks as any other.
class kind_deck {
public:
  kind_deck(std::size_t kinds, std::uint64_t key) : kinds_(kinds), draw_(key) {}

  std::size_t next(const std::vector<std::size_t>& besides) {
    for (std::size_t i = 0;; ++i) {
      if (i >= left_.size()) refill();
      const auto kind = left_[left_.size() - 1 - i];
      if (std::find(besides.begin(), besides.end(), kind) != besides.end())
        continue;
      left_.erase(left_.end() - 1 - static_cast<std::ptrdiff_t>(i));
      return kind;
    }
  }

private:
  void refill() {
    std::vector<std::size_t> all(kinds_);
    std::iota(all.begin(), all.end(), std::size_t{0});
    draw_.shuffle(all);
    left_.insert(left_.begin(), all.begin(), all.end());
  }
  std::size_t kinds_;
  rng draw_;
  std::vector<std::size_t> left_;
};

class task_maker {
public:
  explicit task_maker(world& out) : out_(out) {}

  void deal(const std::string& split, std::size_t count) {
    rng draw{
        rng_key(out_.options.seed, "plant-tasks", std::string_view{split})};
    kind_deck deck{out_.kinds.size(), draw.next()};
    std::size_t repeats = 0;
    for (std::size_t made = 0; made < count && repeats < max_repeats;) {
      task item{fmt::format("{}-{:04}", split, made), split, {}, {}, {}, {}};
      const auto machines =
          min_machines + made % (max_machines - min_machines + 1);
      for (std::size_t i = 0; i < machines; ++i)
        item.kinds.push_back(deck.next(item.kinds));
      if (!fill(item, draw)) {
        ++repeats;
        continue;
      }
      out_.tasks.push_back(std::move(item));
      ++made;
      repeats = 0;
    }
  }

private:
  bool fill(task& item, rng& draw) {
    item.start.resize(item.kinds.size());
    for (std::size_t i = 0; i < item.kinds.size(); ++i) {
      const auto& kind = out_.kinds[item.kinds[i]];
      std::optional<std::vector<std::size_t>> way;
      while (!way) {
        item.start[i] = faulty(draw);
        way = way_out(kind.does, item.start[i]);
      }
      for (const auto verb : *way)
        item.gold.emplace_back(i, verb);
      item.ticket +=
          fmt::format("{}{}: {} {}.", i > 0 ? " " : "", capital(out_.trouble),
                      kind.troubles[draw.below(troubles_per_kind)],
                      out_.families[kind.family].trouble);
    }
    std::set<std::pair<std::size_t, machine_state>> what;
    for (std::size_t i = 0; i < item.kinds.size(); ++i)
      what.emplace(item.kinds[i], item.start[i]);
    return known_.insert(std::move(what)).second;
  }

  world& out_;
  std::set<std::set<std::pair<std::size_t, machine_state>>> known_;
};

} // namespace

world make_world(const plant_settings& options) {
  world out;
  out.options = options;
  word_maker words{options.seed};
  out.check = words.next();
  out.in_order = words.next();
  out.trouble = words.next();
  for (std::size_t i = 0; i < options.families; ++i)
    out.families.push_back({words.next(verb_count), words.next(gauge_count),
                            words.next(status_count), words.next(mode_count),
                            words.next(), words.next()});
  for (std::size_t i = 0; i < options.machines; ++i)
    out.kinds.push_back(name_kind(options, i, words));
  task_maker tasks{out};
  tasks.deal("train", options.train);
  tasks.deal("eval", options.eval);
  tasks.deal("test", options.test);
  return out;
}

std::string report(const world& where, const named_kind& kind,
                   const machine_state& state) {
  const auto& words = where.families[kind.family];
  std::string out;
  for (std::size_t gauge = 0; gauge < gauge_count; ++gauge)
    out += fmt::format(
        "{}: {}\n", capital(words.gauges[gauge]),
        words.statuses[kind.statuses[gauge][static_cast<std::size_t>(
            state.shown[gauge])]]);
  return out + capital(words.mode) + ": " + words.modes[state.mode];
}

} // namespace brewery::plant
