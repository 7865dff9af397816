#include "roles/retrieval_session.hpp"

namespace brewery {

std::vector<const document*> retrieval_session::retrieve(std::string_view query,
                                                         std::uint32_t step) {
  if (empty()) return {};
  retrieval_record record{step, std::string{query}, {}};
  std::vector<const document*> found;
  for (const auto& hit : index_->index->search(query, top_k_)) {
    found.push_back(index_->documents[hit.index].get());
    record.documents.push_back(found.back()->hash);
  }
  records_.push_back(std::move(record));
  return found;
}

} // namespace brewery
