#include "kb/dense/dense_index.hpp"

#include "kb/best_hits.hpp"
#include "kb/dense/hnsw_segment.hpp"

namespace brewery {

result<vector_codes>
codes_of(std::span<const std::span<const double>> vectors) {
  std::size_t dimensions = 0;
  for (const auto& vector : vectors)
    if (dimensions == 0) dimensions = vector.size();
  vector_codes out{dimensions, vectors.size()};
  for (const auto& vector : vectors)
    if (auto ok = out.add(vector); !ok) return ok.error();
  return out;
}

dense_index::dense_index(vector_codes codes, const dense_options& options,
                         const parts_runner& run)
    : codes_(std::move(codes)) {
  if (size() < options.exact_below || size() == 0) return;
  const auto count = (size() + options.segment - 1) / options.segment;
  segments_.resize(count);
  breadth_ = std::max(options.least_breadth,
                      size() / count / options.vectors_per_breadth);
  std::vector<std::function<void()>> parts;
  for (std::size_t i = 0; i < count; ++i)
    parts.emplace_back([this, i, count] {
      segments_[i] = std::make_unique<const hnsw_segment>(
          codes_, size() * i / count, size() * (i + 1) / count);
    });
  if (run)
    run(std::move(parts));
  else
    for (const auto& part : parts)
      part();
  codes_.drop_coarse();
}

dense_index::~dense_index() = default;

std::vector<retrieved> dense_index::search(const retrieval_query& query,
                                           std::size_t limit) const {
  if (limit == 0 || query.vector.empty()
      || query.vector.size() != codes_.dimensions())
    return {};
  const auto coded = code_of(query.vector);
  if (!coded || coded->step == 0) return {};
  return segments_.empty() ? scan(*coded, limit) : follow(*coded, limit);
}

std::vector<retrieved> dense_index::scan(const coded_query& query,
                                         std::size_t limit) const {
  best_hits found{limit};
  const auto compare = [&](std::size_t i) {
    const double score =
        cosine(query, codes_.coarse(i), codes_.fine(i), codes_.step(i));
    if (score > 0) found.add({i, score});
  };
  if (limit >= size()) {
    for (std::size_t i = 0; i < size(); ++i)
      compare(i);
    return found.take();
  }
  // First what each score is at least: the best of these bound the result.
  thread_local std::vector<double> coarse;
  coarse.resize(size());
  best_hits at_least{limit};
  for (std::size_t i = 0; i < size(); ++i) {
    coarse[i] = coarse_cosine(query, codes_.coarse(i), codes_.step(i));
    const double least = coarse[i] - query.length * codes_.missing(i);
    if (least > at_least.least()) at_least.add({i, least});
  }
  const double bound = at_least.least();
  for (std::size_t i = 0; i < size(); ++i)
    if (coarse[i] + query.length * codes_.missing(i) >= bound) compare(i);
  return found.take();
}

std::vector<retrieved> dense_index::follow(const coded_query& query,
                                           std::size_t limit) const {
  best_hits found{limit};
  for (const auto& segment : segments_)
    for (const auto& hit : segment->nearest(query, breadth_)) {
      const double score = cosine(query, hit.coarse, codes_.fine(hit.index),
                                  codes_.step(hit.index));
      if (score > 0) found.add({hit.index, score});
    }
  return found.take();
}

double dense_index::cosine_of(std::size_t i, const coded_query& query) const {
  if (!codes_.is_somewhere(i)) return 0;
  if (segments_.empty())
    return cosine(query, codes_.coarse(i), codes_.fine(i), codes_.step(i));
  // The first segment that ends behind it; the constructor cut them so.
  const auto count = segments_.size();
  auto part = i * count / size();
  while (size() * (part + 1) / count <= i)
    ++part;
  return cosine(query, segments_[part]->coarse(i), codes_.fine(i),
                codes_.step(i));
}

} // namespace brewery
