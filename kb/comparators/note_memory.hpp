#pragma once
/// The mechanism of A-Mem (arXiv:2502.12110): every attempt is a note with
/// keywords, tags and a context; notes are linked to those near them, and a new
/// note changes its neighbours.
///
///   keywords   of the attempt, else the terms of greatest tf · idf
///   context    of the attempt, and what it saw that is not usual
///   sentences  of the attempt, and of its changes that are lessons
///   near       cosine over the terms of all texts of a note
///   links      to some of the five nearest notes before it; mutual
///   evolution  neighbours get tags and a context, and their vector anew at
///              once; the note gets tags
///
/// What a note links to and changes is said by a role, or else by rule: linked
/// are those that have it among their five nearest, too; they get the tags and
/// the context of the note, and the note gets the tags that at least two of
/// them have. Reading a note reads those it links to, so its document has both.
/// It is no reproduction (docs/learners.md). PURE.

#include "kb/comparators/lesson_rule.hpp"
#include "kb/comparators/recorded_attempt.hpp"
#include "kb/comparators/term_vectors.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace brewery {

struct memory_note {
  std::string told; ///< one line
  bool solved = false;
  std::vector<std::string> keywords;
  std::set<std::string> tags;
  std::vector<std::string> context; ///< lines, in the order in which they came
  std::vector<std::string> sentences;
  std::set<std::size_t> links; ///< of other notes; mutual
};

/// What a new note does. Neighbours by their place in `neighbours_of_next`;
/// what names another place is left out.
struct note_evolution {
  std::set<std::size_t> links;
  std::vector<std::string> tags; ///< for the note
  std::map<std::size_t, std::vector<std::string>> neighbour_context;
  std::map<std::size_t, std::vector<std::string>> neighbour_tags;
};

class note_memory {
public:
  static constexpr std::size_t neighbours = 5; ///< the paper's
  static constexpr std::size_t keywords_max = 8;
  static constexpr std::size_t tags_max = 40;
  static constexpr std::size_t context_max = 20;    ///< lines
  static constexpr std::size_t sentences_max = 40;  ///< of a note
  static constexpr std::size_t text_bytes = 1000;   ///< of a line
  static constexpr std::size_t attempts_max = 2000; ///< later ones are left out

  /// Notes of `attempts`, to be written in this order.
  explicit note_memory(const std::vector<recorded_attempt>& attempts);

  [[nodiscard]] bool whole() const { return written_ == notes_.size(); }
  /// Those that are not written yet have no links.
  [[nodiscard]] const std::vector<memory_note>& notes() const { return notes_; }
  /// The one that is written next; not if `whole`.
  [[nodiscard]] std::size_t next() const { return written_; }
  /// Of the notes before it the nearest, nearest first; ties by their order.
  [[nodiscard]] std::vector<std::size_t> neighbours_of_next() const;

  void write_next(); ///< by rule
  void write_next(const note_evolution& by);

  /// A note without those that it is linked to.
  [[nodiscard]] std::string text_of(std::size_t at) const;
  /// A document for each note, in order; equal ones once.
  [[nodiscard]] std::vector<std::string> documents() const;

private:
  [[nodiscard]] bool has_among_nearest(std::size_t of, std::size_t one,
                                       std::size_t among) const;
  [[nodiscard]] note_evolution
  by_rule(const std::vector<std::size_t>& near) const;
  void write_next(const std::vector<std::size_t>& near,
                  const note_evolution& by);
  void place(std::size_t at);
  [[nodiscard]] std::string linked_text(std::size_t at) const;

  term_weights weights_;
  std::vector<memory_note> notes_;
  std::vector<term_vector> places_;
  std::size_t written_ = 0;
};

} // namespace brewery
