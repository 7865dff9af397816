#include "economy/replay_index.hpp"

#include "kb/knowledge_base.hpp"
#include "kb/mrr.hpp"

namespace brewery {

namespace {

/// An iteration evaluates some hybrid KBs per concept, each for as long as its
/// rollouts take.
constexpr std::size_t max_kept = 128;

} // namespace

std::uint32_t text_numbers::number(const std::string& text) {
  const auto next = static_cast<std::uint32_t>(texts_.size());
  const auto [it, fresh] = numbers_.try_emplace(text, next);
  if (fresh) texts_.push_back(&it->first);
  return it->second;
}

replayed_kb::replayed_kb(const knowledge_base& kb,
                         std::shared_ptr<const retriever> index,
                         std::uint32_t top_k,
                         std::shared_ptr<const known_vectors> known)
    : index_(std::move(index)), top_k_(top_k), vectors_(std::move(known)) {
  for (const auto& entry : kb.entries()) {
    documents_.push_back(entry.doc);
    concepts_.push_back(entry.concept_ref);
  }
}

std::optional<std::vector<retrieved>>
replayed_kb::search(const std::string& query, std::size_t limit) const {
  const auto length = index_->dimensions();
  if (length == 0) return index_->search(query, limit);
  const auto place = vectors_->find(query);
  if (!place || (!place->empty() && place->size() != length))
    return std::nullopt;
  return index_->search({query, *place}, limit);
}

const std::vector<const document*>*
replayed_kb::answer(std::uint32_t query, const text_numbers& texts) {
  if (const auto known = answers_.find(query); known != answers_.end())
    return &known->second;
  const auto hits = search(texts.text(query), top_k_);
  if (!hits) return nullptr;
  auto& out = answers_[query];
  for (const auto& hit : *hits)
    out.push_back(documents_[hit.index].get());
  return &out;
}

std::optional<std::vector<concept_id>>
replayed_kb::ranking(std::uint32_t query, const text_numbers& texts) const {
  const auto hits = search(texts.text(query), ranking_depth);
  if (!hits) return std::nullopt;
  std::vector<concept_id> out;
  for (const auto& hit : *hits)
    out.push_back(concepts_[hit.index]);
  return out;
}

/// Null where vectors lack.
result<std::shared_ptr<const retriever>>
replay_indexes::index_of(const knowledge_base& kb,
                         std::vector<std::string>& lacking) const {
  if (!how_.by_vectors) return make_bm25(kb, how_.bm25);
  std::vector<text_vector> places;
  for (const auto& one : kb.entries()) {
    places.push_back(vectors_->find(one.doc->body));
    if (!places.back()) lacking.push_back(one.doc->body);
  }
  if (!lacking.empty()) return std::shared_ptr<const retriever>{};
  return how_.by_vectors(kb, places);
}

result<std::shared_ptr<replayed_kb>>
replay_indexes::of(const std::vector<doc_ref>& knowledge,
                   std::vector<std::string>& lacking) {
  hash_input in;
  for (const auto& ref : knowledge)
    in.add(std::uint64_t{ref.concept_ref.value}).add(ref.hash.value);
  auto key = in.content();
  if (const auto known = by_hash_.find(key); known != by_hash_.end()) {
    recent_.splice(recent_.begin(), recent_, known->second);
    return known->second->second;
  }
  const auto kb = resolve(knowledge, *documents_);
  if (!kb) return kb.error();
  auto index = index_of(*kb, lacking);
  if (!index) return index.error();
  if (!*index) return std::shared_ptr<replayed_kb>{};
  auto made = std::make_shared<replayed_kb>(*kb, std::move(*index), how_.top_k,
                                            vectors_);
  if (recent_.size() >= max_kept) {
    by_hash_.erase(recent_.back().first);
    recent_.pop_back();
  }
  recent_.emplace_front(key, made);
  by_hash_.emplace(std::move(key), recent_.begin());
  return made;
}

} // namespace brewery
