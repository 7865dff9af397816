#include "economy/replay_index.hpp"

#include "kb/knowledge_base.hpp"

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

replayed_kb::replayed_kb(const knowledge_base& kb, const replay_options& how)
    : index_(make_bm25(kb, how.bm25)), top_k_(how.top_k) {
  for (const auto& entry : kb.entries())
    documents_.push_back(entry.doc);
}

const std::vector<const document*>&
replayed_kb::answer(std::uint32_t query, const text_numbers& texts) {
  const auto [it, fresh] = answers_.try_emplace(query);
  if (fresh)
    for (const auto& hit : index_->search(texts.text(query), top_k_))
      it->second.push_back(documents_[hit.index].get());
  return it->second;
}

result<std::shared_ptr<replayed_kb>>
replay_indexes::of(const std::vector<doc_ref>& knowledge) {
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
  auto made = std::make_shared<replayed_kb>(*kb, how_);
  if (recent_.size() >= max_kept) {
    by_hash_.erase(recent_.back().first);
    recent_.pop_back();
  }
  recent_.emplace_front(key, made);
  by_hash_.emplace(std::move(key), recent_.begin());
  return made;
}

} // namespace brewery
