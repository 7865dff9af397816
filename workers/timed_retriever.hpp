#pragma once
/// A retriever that reports the duration of each retrieval, for metrics.

#include "kb/retriever.hpp"

#include <chrono>
#include <functional>

namespace brewery {

class timed_retriever final : public retriever {
public:
  timed_retriever(std::shared_ptr<const retriever> inner,
                  std::function<void(double)> on_search)
      : inner_(std::move(inner)), on_search_(std::move(on_search)) {}

  std::vector<retrieved> search(const retrieval_query& query,
                                std::size_t limit) const override {
    const auto began = std::chrono::steady_clock::now();
    auto found = inner_->search(query, limit);
    on_search_(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began)
            .count());
    return found;
  }

  std::size_t size() const override { return inner_->size(); }
  std::size_t dimensions() const override { return inner_->dimensions(); }

private:
  std::shared_ptr<const retriever> inner_;
  std::function<void(double)> on_search_; ///< seconds
};

} // namespace brewery
