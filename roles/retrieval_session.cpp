#include "roles/retrieval_session.hpp"

#include "roles/text_vectors.hpp"

#include <numeric>
#include <utility>

namespace brewery {

result<std::vector<retrieved>>
retrieval_session::search(std::string_view query, std::size_t limit) const {
  const auto& index = *index_->index;
  if (index.dimensions() == 0) return index.search(query, limit);
  BREWERY_ASSERT(embed_);
  const auto place = embed_(query);
  if (!place) return place.error();
  if (auto fits = check_query_vector(**place, index); !fits)
    return fits.error();
  return index.search({query, **place}, limit);
}

result<std::vector<const document*>>
retrieval_session::retrieve(std::string_view query, std::uint32_t step) {
  std::vector<const document*> found;
  if (empty()) return found;
  if (std::exchange(all_next_, false)) return show_all(query, step);
  const auto hits = search(query, top_k_);
  if (!hits) return hits.error();
  retrieval_record record{step, std::string{query}, {}};
  for (const auto& hit : *hits) {
    found.push_back(index_->documents[hit.index].get());
    record.documents.push_back(found.back()->hash);
  }
  records_.push_back(std::move(record));
  return found;
}

std::vector<const document*> retrieval_session::show_all(std::string_view query,
                                                         std::uint32_t step) {
  std::vector<std::size_t> all(index_->documents.size());
  std::iota(all.begin(), all.end(), 0);
  return open(query, all, step);
}

std::vector<const document*>
retrieval_session::open(std::string_view asked_for,
                        const std::vector<std::size_t>& documents,
                        std::uint32_t step) {
  std::vector<const document*> found;
  retrieval_record record{step, std::string{asked_for}, {}};
  for (const auto index : documents) {
    found.push_back(index_->documents.at(index).get());
    record.documents.push_back(found.back()->hash);
  }
  records_.push_back(std::move(record));
  return found;
}

result<std::vector<concept_id>>
retrieval_session::ranking(std::string_view query, std::size_t depth) const {
  std::vector<concept_id> out;
  if (empty()) return out;
  const auto hits = search(query, depth);
  if (!hits) return hits.error();
  for (const auto& hit : *hits)
    out.push_back(index_->concepts[hit.index]);
  return out;
}

} // namespace brewery
