#include "kb/dense/hnsw_segment.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cstring>

// Its prefetches read past the end of a list, which sanitizers report.
#if defined(__SANITIZE_ADDRESS__)
#define NO_MANUAL_VECTORIZATION
#endif
#include <hnswlib/hnswlib.h>

namespace brewery {

namespace {

/// Links per vector and breadth of the search for them: hnswlib's advice for
/// recall at a few hundred dimensions.
constexpr std::size_t links = 16, build_breadth = 200;

/// A stored vector: its step as a float, then its coarse code.
float step_of(const void* row) {
  float out = 0;
  std::memcpy(&out, row, sizeof out);
  return out;
}

std::span<const std::int8_t> code_in(const void* row, std::size_t width) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-bounds-pointer-arithmetic)
  return {static_cast<const std::int8_t*>(row) + sizeof(float), width};
}

std::vector<std::int8_t> row_of(std::span<const std::int8_t> coarse,
                                double step) {
  std::vector<std::int8_t> out(sizeof(float) + coarse.size());
  const auto brief = static_cast<float>(step);
  std::memcpy(out.data(), &brief, sizeof brief);
  std::ranges::copy(coarse, out.begin() + sizeof(float));
  return out;
}

/// Minus the cosine of two codes, but for a factor.
float distance(const void* a, const void* b, const void* width_at) {
  const auto width = *static_cast<const std::size_t*>(width_at);
  return -static_cast<float>(dot(code_in(a, width), code_in(b, width)))
         * step_of(a) * step_of(b);
}

class code_space final : public hnswlib::SpaceInterface<float> {
public:
  explicit code_space(std::size_t width) : width_(width) {}
  std::size_t get_data_size() override { return sizeof(float) + width_; }
  hnswlib::DISTFUNC<float> get_dist_func() override { return distance; }
  void* get_dist_func_param() override { return &width_; }
  [[nodiscard]] std::size_t width() const { return width_; }

private:
  std::size_t width_;
};

} // namespace

struct hnsw_segment::graph {
  graph(std::size_t width, std::size_t count)
      : space(width), links_of(&space, std::max<std::size_t>(count, 1), links,
                               build_breadth) {}

  code_space space;
  hnswlib::HierarchicalNSW<float> links_of;
  std::vector<std::uint32_t> indexes; ///< of the vectors, by place in the graph
};

hnsw_segment::hnsw_segment(const vector_codes& codes, std::size_t begin,
                           std::size_t end) {
  std::vector<std::uint32_t> indexes;
  for (auto i = begin; i < end; ++i)
    if (codes.is_somewhere(i)) indexes.push_back(static_cast<std::uint32_t>(i));
  graph_ = std::make_unique<graph>(codes.width(), indexes.size());
  for (std::size_t place = 0; place < indexes.size(); ++place) {
    const auto i = indexes[place];
    graph_->links_of.addPoint(row_of(codes.coarse(i), codes.step(i)).data(),
                              place);
  }
  graph_->indexes = std::move(indexes);
}

hnsw_segment::~hnsw_segment() = default;

std::vector<hnsw_segment::hit> hnsw_segment::nearest(const coded_query& query,
                                                     std::size_t count) const {
  const auto& made = *graph_;
  // Places in the graph are in the order of addition.
  auto found =
      made.links_of.searchKnn(row_of(query.coarse, query.step).data(), count);
  std::vector<hit> out;
  out.reserve(found.size());
  for (; !found.empty(); found.pop()) {
    const auto place = found.top().second;
    const auto* row = made.links_of.getDataByInternalId(
        static_cast<hnswlib::tableint>(place));
    out.push_back({made.indexes[place], code_in(row, query.coarse.size())});
  }
  return out;
}

std::span<const std::int8_t> hnsw_segment::coarse(std::size_t index) const {
  const auto& made = *graph_;
  const auto& indexes = made.indexes;
  BREWERY_ASSERT(!indexes.empty() && index >= indexes.front());
  // Ascending; without gaps it is where it would be by counting.
  auto place = index - indexes.front();
  if (place >= indexes.size() || indexes[place] != index)
    place = static_cast<std::size_t>(std::ranges::lower_bound(indexes, index)
                                     - indexes.begin());
  const auto* row =
      made.links_of.getDataByInternalId(static_cast<hnswlib::tableint>(place));
  return code_in(row, made.space.width());
}

} // namespace brewery
