#include "roles/model/llm_embedder.hpp"

#include "base/text.hpp"
#include "roles/model/reply_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery {

llm_embedder::llm_embedder(model_asker ask, const embedder_options& options)
    : ask_(std::move(ask)), dimensions_(options.model_dimensions),
      batch_(std::max<std::size_t>(1, options.batch)) {}

std::string llm_embedder::fingerprint() const {
  return ask_.fingerprint({}) + fmt::format(" dimensions={}", dimensions_);
}

namespace {

result<void> normalise(std::vector<double>& vector, const std::string& text) {
  double square = 0;
  for (const double x : vector)
    square += x * x;
  // This form also refuses NaN.
  if (!(square > 0) || !std::isfinite(square))
    return error{ec::malformed,
                 fmt::format("embedder: the vector of \"{}\" has the length "
                             "{} and cannot be brought to 1",
                             shown(text, 40), std::sqrt(square))};
  for (double& x : vector)
    x /= std::sqrt(square);
  return {};
}

} // namespace

result<std::vector<std::vector<double>>>
llm_embedder::embed(const std::vector<std::string>& texts,
                    job_context& context) const {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (trim(texts[i]).empty())
      return error{ec::invalid_argument,
                   fmt::format("embedder: text {} of {} is empty, so it has "
                               "no vector",
                               i + 1, texts.size())};
  const auto first_call = context.calls;
  std::vector<std::vector<double>> out;
  while (out.size() < texts.size()) {
    const auto first = texts.begin() + static_cast<std::ptrdiff_t>(out.size());
    const auto count = std::min(batch_, texts.size() - out.size());
    embedding_request request;
    request.texts.assign(first, first + static_cast<std::ptrdiff_t>(count));
    request.dimensions = dimensions_;
    auto reply = ask_.embed(request, context);
    if (!reply) return reply.error();
    if (auto ok = take(std::move(*reply), request, out); !ok) {
      // Of two lengths nobody knows which one is wrong.
      ask_.disown(first_call, context);
      return ok.error();
    }
  }
  return out;
}

/// Appends the vectors of a batch.
result<void> llm_embedder::take(embedding_reply reply,
                                const embedding_request& asked,
                                std::vector<std::vector<double>>& out) const {
  if (reply.vectors.size() != asked.texts.size())
    return error{ec::malformed,
                 fmt::format("embedder: {} vectors for {} texts",
                             reply.vectors.size(), asked.texts.size())};
  for (std::size_t i = 0; i < reply.vectors.size(); ++i) {
    auto& vector = reply.vectors[i];
    const auto& text = asked.texts[i];
    const auto length = out.empty() ? vector.size() : out.front().size();
    if (vector.empty() || vector.size() != length
        || (dimensions_ != 0 && vector.size() != dimensions_))
      return error{ec::malformed,
                   fmt::format("embedder: the vector of \"{}\" has {} "
                               "numbers, expected {}",
                               shown(text, 40), vector.size(),
                               dimensions_ != 0 ? dimensions_ : length)};
    if (auto ok = normalise(vector, text); !ok) return ok;
    out.push_back(std::move(vector));
  }
  return {};
}

} // namespace brewery
