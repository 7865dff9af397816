#pragma once
/// Every word the toy benchmark says: tools, parameters, status lines, values
/// and tickets are put together from these words and from nothing else, so a
/// test can rename the whole device and see that nobody knows it by heart.
///
/// All words of one vocabulary are distinct, lower-case ASCII letters only.

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
  // Ticket.
  std::string symptom, place, inside, outside;

  bool operator==(const toy_vocabulary&) const = default;
};

/// A device one can picture.
toy_vocabulary plain_vocabulary();

/// The same device in pronounceable nonsense; a function of the seed.
toy_vocabulary nonsense_vocabulary(std::uint64_t seed);

/// All words in one fixed order: the n-th word of two vocabularies means the
/// same.
std::vector<std::string> words(const toy_vocabulary& vocabulary);

} // namespace brewery
