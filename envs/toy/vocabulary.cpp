#include "envs/toy/vocabulary.hpp"

#include "base/rng.hpp"

#include <set>
#include <string_view>

namespace brewery {

namespace {

/// Calls `f(word)` for every word, in declaration order.
template <class Vocabulary, class F>
void each_word(Vocabulary& v, F f) {
  const auto all = [&f](auto& list) {
    for (auto& word : list)
      f(word);
  };
  f(v.light), f(v.board), f(v.rack), f(v.device);
  all(v.switches);
  f(v.guard);
  all(v.dials);
  all(v.latches);
  f(v.check), f(v.toggle), f(v.set), f(v.release), f(v.restart);
  f(v.level);
  all(v.levels);
  f(v.on), f(v.off), f(v.stuck), f(v.pending), f(v.loose), f(v.ready);
  f(v.bright), f(v.dim), f(v.dark), f(v.flickering);
  f(v.symptom), f(v.place), f(v.inside), f(v.outside);
}

/// Two or three syllables: "tomu", "kilarep".
std::string nonsense_word(rng& draw) {
  constexpr std::string_view consonants = "bdfgklmnprstvz";
  constexpr std::string_view vowels = "aeiou";
  std::string word;
  const auto syllables = 2 + draw.below(2);
  for (std::uint64_t i = 0; i < syllables; ++i) {
    word += consonants[draw.below(consonants.size())];
    word += vowels[draw.below(vowels.size())];
  }
  if (draw.below(2) == 0) word += consonants[draw.below(consonants.size())];
  return word;
}

} // namespace

toy_vocabulary plain_vocabulary() {
  return {
      .light = "light",
      .board = "board",
      .rack = "rack",
      .device = "machine",
      .switches = {"fan", "pump", "heater", "motor", "filter", "alarm"},
      .guard = "shelter",
      .dials = {"pressure", "tone", "torque", "gain"},
      .latches = {"valve", "hatch", "brake"},
      .check = "check",
      .toggle = "toggle",
      .set = "set",
      .release = "release",
      .restart = "restart",
      .level = "level",
      .levels = {"low", "medium", "high", "full"},
      .on = "on",
      .off = "off",
      .stuck = "stuck",
      .pending = "pending",
      .loose = "loose",
      .ready = "ready",
      .bright = "bright",
      .dim = "dim",
      .dark = "dark",
      .flickering = "flickering",
      .symptom = "symptom",
      .place = "place",
      .inside = "inside",
      .outside = "outside",
  };
}

toy_vocabulary nonsense_vocabulary(std::uint64_t seed) {
  toy_vocabulary vocabulary = plain_vocabulary();
  rng draw{rng_key(seed, "toy-vocabulary")};
  std::set<std::string> used;
  each_word(vocabulary, [&](std::string& word) {
    do
      word = nonsense_word(draw);
    while (!used.insert(word).second);
  });
  return vocabulary;
}

std::vector<std::string> words(const toy_vocabulary& vocabulary) {
  std::vector<std::string> out;
  each_word(vocabulary,
            [&out](const std::string& word) { out.push_back(word); });
  return out;
}

} // namespace brewery
