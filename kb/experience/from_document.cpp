#include "kb/experience/from_document.hpp"

#include "base/text.hpp"
#include "kb/document_lines.hpp"
#include "kb/experience/to_document.hpp"
#include "kb/muse/memory_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

/// What stands there if nothing but the list below says when.
constexpr std::string_view of_an_experience = "the task says or shows this";

/// What a document rests on: no part of how something is done.
constexpr std::string_view evidence_titles[] = {"why to use", "example"};

/// A label that says nothing here: what no other part takes is a step.
constexpr std::string_view of_steps = "Steps:";

enum class part : std::uint8_t { about, problem, steps, failures, evidence };

/// Whether somebody meant it to be an experience: then a slip in it must not
/// make steps of its characteristics.
bool means_experience(std::string_view body) {
  std::size_t headings = 0;
  for (const auto line : split(body, '\n'))
    if (const auto text = trim(line); text.starts_with("## "))
      headings += std::ranges::count(experience_parts, text.substr(3));
  return headings >= 3; // other documents have a goal and steps, too
}

failure_mode failure_in(std::string_view item) {
  constexpr std::string_view leads_to = "=>";
  const auto at = item.find(leads_to);
  if (at == std::string_view::npos) return {std::string{item}, ""};
  return {std::string{trim(item.substr(0, at))},
          std::string{trim(item.substr(at + leads_to.size()))}};
}

/// What the line opens, if it is a heading here: behind the colon of bold words
/// stands what is to be done, but where they ask when.
std::optional<section_opening> heading(std::string_view line) {
  const auto opens = opening_of(line);
  if (opens && !opens->rest.empty()
      && !lower(opens->title).starts_with("when to use"))
    return std::nullopt;
  return opens;
}

part opened_by(const section_opening& opens) {
  const auto title = lower(opens.title);
  if (title.starts_with("when to use")) return part::problem;
  if (title.starts_with("what goes wrong")) return part::failures;
  for (const auto evidence : evidence_titles)
    if (title.starts_with(evidence)) return part::evidence;
  return part::steps;
}

/// Whether the line names the list below it, as the memory of MUSE has them:
/// "Preconditions:". A sentence that goes on has more words.
bool is_label(std::string_view line) {
  constexpr auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return line.size() > 1 && line.front() >= 'A' && line.front() <= 'Z'
         && line.back() == ':'
         && std::ranges::all_of(line.substr(0, line.size() - 1), is_letter);
}

/// Reads a document that is none of an experience. A line without a mark goes
/// on with what the line before it says: half a sentence may say the opposite
/// of the whole. A label begins anew, and stays: "Preconditions:" above an item
/// says that it is nothing to be done.
class document_reader {
public:
  document_reader(std::string_view body, experience& out)
      : out_(out), code_(body) {}

  void read(std::string_view line) {
    if (code_.marks(line)) return;
    if (!code_.inside() && is_label(line)) {
      before_ = nullptr;
      if (line == of_steps) return;
    }
    if (line.empty()) {
      if (!code_.inside()) before_ = nullptr;
    } else if (!code_.inside() && line.starts_with("# ")
               && out_.title.empty()) {
      out_.title = trim(line.substr(2));
    } else if (const auto opens =
                   code_.inside() ? std::nullopt : heading(line)) {
      open(*opens);
    } else if (in_ != part::evidence) {
      const auto item = code_.inside() ? std::string_view{} : listed(line);
      if (!item.empty())
        add(item, in_ == part::about ? part::steps : in_);
      else if (before_)
        *before_ += fmt::format(" {}", line);
      else
        add(line, in_ == part::about ? part::problem : in_);
    }
  }

  /// When all is read: a failure may have two lines.
  void end() {
    for (const auto& item : failures_)
      out_.failures.push_back(failure_in(item));
  }

private:
  void open(const section_opening& opens) {
    in_ = opened_by(opens);
    before_ = nullptr;
    if (!opens.rest.empty() && opens.rest != of_an_experience)
      add(opens.rest, in_);
  }

  void add(std::string_view item, part to) {
    auto& items = to == part::problem              ? out_.problem
                  : to == part::failures           ? failures_
                  : item.starts_with("Done when ") ? out_.goal
                                                   : out_.steps;
    before_ = &items.emplace_back(item);
  }

  experience& out_;
  part in_ = part::about;
  code_blocks code_;
  std::vector<std::string> failures_;
  std::string* before_ = nullptr; ///< what an unmarked line goes on with
};

/// Whether somebody meant it to be procedures of MUSE: then a slip in it must
/// not make steps of its notes.
bool means_procedures(std::string_view body) {
  return body.starts_with("# Application: ")
         && body.find("\nSteps:\n") != std::string_view::npos;
}

result<experience> experience_of(const muse::procedure& item,
                                 const std::string& domain) {
  experience out;
  out.title = fmt::format("{}: {}", item.application, item.operation);
  out.problem = {item.operation};
  out.problem.insert(out.problem.end(), item.preconditions.begin(),
                     item.preconditions.end());
  out.steps = item.steps;
  out.domain = domain;
  return read_experience(to_markdown(out));
}

} // namespace

result<experience> experience_of(std::string_view body,
                                 const std::string& domain) {
  if (auto same = read_experience(body); same || means_experience(body))
    return same;
  experience out;
  out.domain = domain;
  document_reader reader{body, out};
  for (const auto line : split(body, '\n'))
    reader.read(trim(line));
  reader.end();
  if (out.steps.empty())
    return error{ec::malformed, "there is no line in it that could be a "
                                "step"};
  if (out.title.empty()) out.title = "Imported";
  if (out.problem.empty()) out.problem.push_back(out.title);
  // Limits and forms are those of any experience.
  return read_experience(to_markdown(out));
}

result<std::vector<experience>> experiences_of(std::string_view body,
                                               const std::string& domain) {
  std::vector<experience> out;
  muse::memory memory;
  if (const auto read = muse::read_document(body, memory); read) {
    for (const auto& item : memory.procedures) {
      auto made = experience_of(item, domain);
      if (!made) return made.error();
      out.push_back(*std::move(made));
    }
    return out;
  } else if (means_procedures(body))
    return read.error();
  auto one = experience_of(body, domain);
  if (!one) return one.error();
  out.push_back(*std::move(one));
  return out;
}

} // namespace brewery
