#include "kb/knowledge_base.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

bool by_concept(const kb_entry& a, const kb_entry& b) {
  return a.concept_ref < b.concept_ref;
}

auto position(const std::vector<kb_entry>& entries, concept_id wanted) {
  return std::lower_bound(
      entries.begin(), entries.end(), wanted,
      [](const kb_entry& a, concept_id id) { return a.concept_ref < id; });
}

} // namespace

result<knowledge_base> knowledge_base::make(std::vector<kb_entry> entries) {
  std::stable_sort(entries.begin(), entries.end(), by_concept);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto concept_number = entries[i].concept_ref.value;
    if (entries[i].doc == nullptr)
      return error{ec::invalid_argument,
                   fmt::format("knowledge base: concept {} has no document",
                               concept_number)};
    if (i > 0 && entries[i - 1].concept_ref == entries[i].concept_ref)
      return error{ec::invalid_argument,
                   fmt::format("knowledge base: two documents for concept {}",
                               concept_number)};
  }
  knowledge_base out;
  out.entries_ = std::move(entries);
  return out;
}

knowledge_base knowledge_base::with(concept_id concept_ref,
                                    const std::string& title,
                                    std::shared_ptr<const document> doc) const {
  BREWERY_ASSERT(doc != nullptr);
  knowledge_base out = *this;
  const auto at = position(entries_, concept_ref) - entries_.begin();
  const auto place = out.entries_.begin() + at;
  if (place != out.entries_.end() && place->concept_ref == concept_ref)
    place->doc = std::move(doc);
  else
    out.entries_.insert(place, {concept_ref, title, std::move(doc)});
  return out;
}

knowledge_base knowledge_base::without(concept_id concept_ref) const {
  knowledge_base out = *this;
  std::erase_if(out.entries_, [&](const kb_entry& entry) {
    return entry.concept_ref == concept_ref;
  });
  return out;
}

const kb_entry* knowledge_base::find(concept_id concept_ref) const {
  const auto it = position(entries_, concept_ref);
  if (it == entries_.end() || it->concept_ref != concept_ref) return nullptr;
  return &*it;
}

std::vector<doc_ref> knowledge_base::refs() const {
  std::vector<doc_ref> out;
  out.reserve(entries_.size());
  for (const auto& entry : entries_)
    out.push_back({entry.concept_ref, entry.doc->hash});
  return out;
}

std::string knowledge_base::hash() const {
  hash_input in;
  in.add("knowledge base").add(std::uint64_t{entries_.size()});
  for (const auto& entry : entries_)
    in.add(std::uint64_t{entry.concept_ref.value}).add(entry.doc->hash.value);
  return in.content();
}

std::string heading_of(std::string_view body) {
  for (const auto line : split(body, '\n'))
    if (line.starts_with("# ")) return std::string{trim(line.substr(2))};
  return {};
}

result<knowledge_base> resolve(const std::vector<doc_ref>& refs,
                               const document_store& store) {
  std::vector<kb_entry> entries;
  entries.reserve(refs.size());
  for (const auto& ref : refs) {
    auto doc = store.find(ref.hash);
    if (doc == nullptr)
      return error{ec::not_found,
                   fmt::format("knowledge base: the document {} of concept {} "
                               "is unknown here",
                               ref.hash.value, ref.concept_ref.value)};
    auto title = heading_of(doc->body);
    entries.push_back({ref.concept_ref, std::move(title), std::move(doc)});
  }
  return knowledge_base::make(std::move(entries));
}

} // namespace brewery
