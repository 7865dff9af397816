#include "roles/text_vectors.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// Numbers of calls for retrieval; those of other roles count from 0, and the
/// highest stands for grades.
constexpr std::uint32_t first_number = 1U << 31;
constexpr std::uint64_t number_mask = (1U << 30) - 1;

std::uint32_t number_of(std::string_view text) {
  return first_number + static_cast<std::uint32_t>(hash64(text) & number_mask);
}

} // namespace

result<text_vectors::vector> text_vectors::of(std::string_view text,
                                              const job_context& asker) const {
  if (trim(text).empty()) return std::make_shared<const std::vector<double>>();
  auto key = content_hash(text);
  {
    const std::lock_guard lock{mutex_};
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
  }
  // Two threads may ask at once: they get the same, and a model is asked once.
  job_context context{asker.job, number_of(text), asker.cancelled};
  context.run = asker.run;
  auto made = by_->embed({std::string{text}}, context);
  if (!made) return made.error();
  if (made->size() != 1)
    return error{ec::malformed, fmt::format("embedder: {} for one text",
                                            counted(made->size(), "vector"))};
  auto out =
      std::make_shared<const std::vector<double>>(std::move(made->front()));
  const std::lock_guard lock{mutex_};
  if (kept_ + out->size() > most_) {
    known_.clear();
    kept_ = 0;
  }
  if (known_.emplace(std::move(key), out).second) kept_ += out->size();
  return out;
}

result<void> check_query_vector(const std::vector<double>& vector,
                                const retriever& documents) {
  if (vector.empty() || vector.size() == documents.dimensions()) return {};
  return error{ec::malformed,
               fmt::format("retrieval: the vector of the query has {} numbers, "
                           "those of the documents have {}",
                           vector.size(), documents.dimensions())};
}

} // namespace brewery
