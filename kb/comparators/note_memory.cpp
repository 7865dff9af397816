#include "kb/comparators/note_memory.hpp"

#include "base/text.hpp"
#include "kb/comparators/quoted_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace brewery {

namespace {

/// The texts that place a note.
std::string placing_text(const memory_note& note) {
  auto out = note.told + "\n" + join(note.sentences, "\n") + "\n"
             + join(note.keywords, " ") + "\n" + join(note.context, "\n");
  for (const auto& tag : note.tags)
    out += " " + tag;
  return out;
}

std::string told_by(const recorded_attempt& attempt) {
  auto out = attempt.told + "\n" + join(attempt.sentences, "\n");
  for (const auto& one : attempt.changes)
    out += "\n" + one.sentence;
  return out;
}

std::vector<std::string>
texts_told(const std::vector<recorded_attempt>& attempts) {
  std::vector<std::string> out;
  for (const auto& one : attempts)
    out.push_back(told_by(one) + "\n" + join(one.keywords, "\n") + "\n"
                  + join(one.tags, "\n") + "\n" + join(one.context, "\n") + "\n"
                  + join(one.seen, "\n"));
  return out;
}

void add_new(std::vector<std::string>& to, const std::string& line,
             std::size_t limit) {
  if (to.size() < limit && std::ranges::find(to, line) == to.end())
    to.push_back(line);
}

void add_context(memory_note& to, const std::string& line) {
  add_new(to.context, quoted_line(line, note_memory::text_bytes),
          note_memory::context_max);
}

void add_tag(memory_note& to, const std::string& tag) {
  if (to.tags.size() < note_memory::tags_max)
    to.tags.insert(quoted_line(tag, note_memory::text_bytes));
}

memory_note analysed(const recorded_attempt& attempt,
                     const term_weights& weights, const lesson_rule& usual) {
  memory_note out;
  out.told = quoted_line(attempt.told, note_memory::text_bytes);
  out.solved = attempt.solved;
  for (const auto& tag : attempt.tags)
    add_tag(out, tag);
  for (const auto& line : attempt.context)
    add_context(out, line);
  for (const auto& line : attempt.seen)
    if (!usual.is_usual(line)) add_context(out, line);
  const auto tell = [&](const std::string& sentence) {
    add_new(out.sentences, single_line(sentence, note_memory::text_bytes),
            note_memory::sentences_max);
  };
  for (const auto& sentence : attempt.sentences)
    tell(sentence);
  for (const auto& one : attempt.changes)
    if (usual.is_lesson(one)) tell(one.sentence);
  const auto keywords =
      attempt.keywords.empty()
          ? weights.keywords(out.told + "\n" + join(out.context, "\n") + "\n"
                                 + join(out.sentences, "\n"),
                             note_memory::keywords_max)
          : attempt.keywords;
  for (const auto& word : keywords)
    add_new(out.keywords, quoted_line(word, note_memory::text_bytes),
            note_memory::keywords_max);
  return out;
}

} // namespace

note_memory::note_memory(const std::vector<recorded_attempt>& attempts)
    : weights_(texts_told(attempts)) {
  const lesson_rule usual{attempts};
  for (const auto& one : attempts) {
    if (notes_.size() == attempts_max) break;
    notes_.push_back(analysed(one, weights_, usual));
    places_.emplace_back();
    place(notes_.size() - 1);
  }
}

void note_memory::place(std::size_t at) {
  places_[at] = weights_.vector_of(placing_text(notes_[at]));
}

std::vector<std::size_t> note_memory::neighbours_of_next() const {
  std::vector<std::pair<double, std::size_t>> found;
  const compared_place own{places_[written_], weights_.terms()};
  for (std::size_t i = 0; i < written_; ++i)
    if (const auto near = own.cosine_to(places_[i]); near > 0)
      found.emplace_back(-near, i);
  std::ranges::sort(found);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < std::min(neighbours, found.size()); ++i)
    out.push_back(found[i].second);
  return out;
}

/// Whether no five others of the first `among` notes are nearer; of equal ones
/// the earlier is.
bool note_memory::has_among_nearest(std::size_t of, std::size_t one,
                                    std::size_t among) const {
  const compared_place place{places_[of], weights_.terms()};
  const auto own = place.cosine_to(places_[one]);
  std::size_t nearer = 0;
  for (std::size_t i = 0; i < among && nearer < neighbours; ++i) {
    if (i == of || i == one) continue;
    const auto other = place.cosine_to(places_[i]);
    if (other > own || (other == own && i < one)) ++nearer;
  }
  return nearer < neighbours;
}

note_evolution
note_memory::by_rule(const std::vector<std::size_t>& near) const {
  note_evolution out;
  const auto& note = notes_[written_];
  std::map<std::string, std::size_t> shared;
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (!has_among_nearest(near[i], written_, written_ + 1)) continue;
    out.links.insert(i);
    out.neighbour_context[i] = note.context;
    out.neighbour_tags[i].assign(note.tags.begin(), note.tags.end());
    for (const auto& tag : notes_[near[i]].tags)
      ++shared[tag];
  }
  for (const auto& [tag, count] : shared)
    if (count > 1) out.tags.push_back(tag);
  return out;
}

void note_memory::write_next() {
  const auto near = neighbours_of_next();
  write_next(near, by_rule(near));
}

void note_memory::write_next(const note_evolution& by) {
  write_next(neighbours_of_next(), by);
}

void note_memory::write_next(const std::vector<std::size_t>& near,
                             const note_evolution& by) {
  const auto at = written_++;
  for (const auto i : by.links)
    if (i < near.size()) {
      notes_[at].links.insert(near[i]);
      notes_[near[i]].links.insert(at);
    }
  for (const auto& [i, lines] : by.neighbour_context)
    for (const auto& line : lines)
      if (i < near.size()) add_context(notes_[near[i]], line);
  for (const auto& [i, tags] : by.neighbour_tags)
    for (const auto& tag : tags)
      if (i < near.size()) add_tag(notes_[near[i]], tag);
  for (const auto& tag : by.tags)
    add_tag(notes_[at], tag);
  for (const auto i : near)
    place(i);
  place(at);
}

std::string note_memory::text_of(std::size_t at) const {
  const auto& note = notes_[at];
  auto out = fmt::format(
      "# Note: {}\n\nTold: {}\nOutcome: {}\nContext: {}\nKeywords: {}\nTags: "
      "{}\n\n",
      join(note.keywords, " "), note.told,
      note.solved ? "solved" : "not solved", join(note.context, "; "),
      join(note.keywords, ", "), fmt::join(note.tags, ", "));
  for (const auto& sentence : note.sentences)
    out += "- " + sentence + "\n";
  return out;
}

/// A note can be among the nearest of many: read are those it is nearest to
/// now.
std::string note_memory::linked_text(std::size_t at) const {
  const auto& note = notes_[at];
  std::vector<std::pair<double, std::size_t>> linked;
  for (const auto i : note.links)
    linked.emplace_back(-cosine(places_[i], places_[at]), i);
  std::ranges::sort(linked);
  if (linked.size() > neighbours) linked.resize(neighbours);
  auto said = note.sentences;
  const auto own = said.size();
  for (const auto& [distance, i] : linked)
    for (const auto& sentence : notes_[i].sentences)
      add_new(said, sentence, own + neighbours * sentences_max);
  std::string out = said.size() > own ? "\n## Linked notes\n\n" : "";
  for (std::size_t i = own; i < said.size(); ++i)
    out += "- " + said[i] + "\n";
  return out;
}

std::vector<std::string> note_memory::documents() const {
  std::vector<std::string> out;
  std::set<std::string> made;
  for (std::size_t i = 0; i < notes_.size(); ++i)
    if (auto text = text_of(i) + linked_text(i); made.insert(text).second)
      out.push_back(std::move(text));
  return out;
}

} // namespace brewery
