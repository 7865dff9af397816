#pragma once
/// Every word of the toy benchmark. Tools, parameters, status lines, values and
/// tickets consist only of these words. So a test can rename the whole device
/// and show that no role knows it by heart.
///
/// All words of one vocabulary are distinct and consist of lower-case ASCII
/// letters.

#include <cstdint>
#include <string>
#include <vector>

namespace brewery {

struct toy_vocabulary {
  // Things: the goal, the two panels that report, the whole device.
  std::string light, board, rack, device;
  std::vector<std::string> switches; ///< on the board
  std::string guard;                 ///< on the board, needed only outside
  std::vector<std::string> dials;    ///< on the rack
  std::vector<std::string> latches;  ///< on the rack
  // Verbs of the tools: check_board, toggle_fan, set_heat, release_valve, ...
  std::string check, toggle, set, release, restart;
  std::string level;               ///< the parameter of `set`
  std::vector<std::string> levels; ///< its values
  // Values in status lines.
  std::string on, off, stuck, pending, loose, ready;
  std::string bright, dim, dark, flickering;
  // Words of the ticket.
  std::string symptom, place, inside, outside;

  bool operator==(const toy_vocabulary&) const = default;
};

/// A device with everyday words.
toy_vocabulary plain_vocabulary();

/// Calls `f(word)` for every word of a vocabulary, in declaration order.
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

/// All words in a fixed order: the n-th words of two vocabularies mean the
/// same.
std::vector<std::string> words(const toy_vocabulary& vocabulary);

} // namespace brewery
