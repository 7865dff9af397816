#include "kb/difference.hpp"

#include "base/text.hpp"
#include "kb/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace brewery {

namespace {

/// In small letters, with one space between words.
std::string normalised(std::string_view title) {
  std::string out;
  for (const char c : lower(title)) {
    const bool space = c == ' ' || c == '\t';
    if (!space)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

using pairs_of_entries = std::map<const kb_entry*, const kb_entry*>;

/// The document before, of those that have one, by the document after. Of
/// several with a title those with the same number come first.
pairs_of_entries paired(const knowledge_base& before,
                        const knowledge_base& after, bool by_number) {
  pairs_of_entries out;
  std::set<const kb_entry*> taken;
  const auto pair = [&](const auto& belong) {
    for (const auto& fresh : after.entries())
      for (const auto& old : before.entries()) {
        if (out.contains(&fresh)) break;
        if (!taken.contains(&old) && belong(old, fresh)) {
          out[&fresh] = &old;
          taken.insert(&old);
        }
      }
  };
  const auto number = [](const kb_entry& old, const kb_entry& fresh) {
    return old.concept_ref == fresh.concept_ref;
  };
  std::map<const kb_entry*, std::string> titles;
  for (const auto* all : {&before, &after})
    for (const auto& one : all->entries())
      titles[&one] = normalised(one.title);
  const auto title = [&](const kb_entry& old, const kb_entry& fresh) {
    return titles[&old] == titles[&fresh];
  };
  pair([&](const kb_entry& old, const kb_entry& fresh) {
    return number(old, fresh) && title(old, fresh);
  });
  pair(title);
  if (by_number) pair(number);
  return out;
}

} // namespace

std::vector<document_change> difference(const knowledge_base& before,
                                        const knowledge_base& after,
                                        bool by_number) {
  std::vector<document_change> out;
  const auto add = [&out](change_kind kind, const kb_entry* a,
                          const kb_entry* b) {
    const auto name = [](const kb_entry* one) {
      return one == nullptr ? std::string{"/dev/null"}
                            : fmt::format("{} {} {}", one->concept_ref.value,
                                          one->title, one->doc->hash.value);
    };
    const auto body = [](const kb_entry* one) {
      return one == nullptr ? std::string_view{}
                            : std::string_view{one->doc->body};
    };
    const auto& entry = b == nullptr ? *a : *b;
    out.push_back({kind, entry.concept_ref,
                   a == nullptr ? entry.concept_ref : a->concept_ref,
                   entry.title,
                   unified_diff(body(a), body(b), name(a), name(b))});
  };
  auto pairs = paired(before, after, by_number);
  std::set<const kb_entry*> kept;
  for (const auto& [fresh, old] : pairs)
    kept.insert(old);
  for (const auto& old : before.entries())
    if (!kept.contains(&old)) add(change_kind::removed, &old, nullptr);
  for (const auto& fresh : after.entries()) {
    const auto* old = pairs[&fresh];
    if (old == nullptr)
      add(change_kind::added, nullptr, &fresh);
    else if (old->doc->hash != fresh.doc->hash)
      add(change_kind::changed, old, &fresh);
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return a.concept_ref < b.concept_ref;
  });
  return out;
}

std::string to_text(const std::vector<document_change>& changes) {
  std::string out;
  for (const auto& change : changes) {
    const char* kind = change.kind == change_kind::added     ? "added"
                       : change.kind == change_kind::removed ? "removed"
                                                             : "changed";
    out += fmt::format(
        "{} {:02} {}{}\n{}", kind, change.concept_ref.value, change.title,
        change.before_ref == change.concept_ref
            ? ""
            : fmt::format(" (before: {:02})", change.before_ref.value),
        change.diff);
  }
  return out;
}

} // namespace brewery
