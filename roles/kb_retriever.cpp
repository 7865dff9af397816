#include "roles/kb_retriever.hpp"

#include "kb/bm25.hpp"
#include "kb/dense/dense_index.hpp"
#include "kb/fusion.hpp"

#include <thread>

namespace brewery {

namespace {

/// Increment when vectors are ranked in another way.
constexpr int ranking_version = 2;

/// There are as many parts as graphs: few, and each takes minutes.
void run_on_threads(const std::vector<std::function<void()>>& parts) {
  std::vector<std::jthread> threads;
  threads.reserve(parts.size());
  for (const auto& part : parts)
    threads.emplace_back(part);
}

} // namespace

result<document_vectors> vectors_of(const knowledge_base& kb,
                                    const text_vectors& known,
                                    const job_context& asker) {
  document_vectors out;
  out.reserve(kb.size());
  for (const auto& entry : kb.entries()) {
    auto vector = known.of(entry.doc->body, asker);
    if (!vector) return vector.error();
    out.push_back(std::move(*vector));
  }
  return out;
}

result<std::shared_ptr<const retriever>>
make_retriever(const knowledge_base& kb, const retrieval_options& options,
               const document_vectors& vectors) {
  if (!options.needs_vectors()) return make_bm25(kb, options.bm25);
  BREWERY_ASSERT(vectors.size() == kb.size());
  std::vector<std::span<const double>> places;
  places.reserve(vectors.size());
  for (const auto& vector : vectors)
    places.emplace_back(*vector);
  auto codes = codes_of(places);
  if (!codes) return codes.error();
  auto dense = std::make_shared<const dense_index>(
      std::move(*codes), dense_options{}, run_on_threads);
  if (options.kind == "dense")
    return std::shared_ptr<const retriever>{std::move(dense)};
  return std::shared_ptr<const retriever>{
      std::make_shared<const fused_retriever>(
          make_bm25(kb, options.bm25), std::move(dense), options.fusion)};
}

std::string fingerprint(const retrieval_options& options) {
  if (!options.needs_vectors()) return {};
  auto out = "kind=" + options.kind + "/" + std::to_string(ranking_version);
  if (options.kind == "hybrid") out += " " + fingerprint(options.fusion);
  return out;
}

} // namespace brewery
