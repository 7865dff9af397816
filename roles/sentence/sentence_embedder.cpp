#include "roles/sentence/sentence_embedder.hpp"

#include "base/hash.hpp"
#include "roles/sentence/sentence_modules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

/// A line of the channel has at most 16 MiB: texts that need escapes grow, and
/// a vector is some 10 KiB.
constexpr std::size_t text_bytes_max = std::size_t{2} << 20;
constexpr std::size_t batch_max = 128;

std::string modules_hash() {
  hash_input all;
  for (const auto& module : sentence::sentence_modules())
    all.add(module.name).add(module.text);
  return all.content();
}

} // namespace

sentence_embedder::sentence_embedder(
    std::shared_ptr<sentence::sentence_model> model, std::size_t batch)
    : model_(std::move(model)),
      batch_(std::clamp<std::size_t>(batch, 1, batch_max)) {}

std::string sentence_embedder::fingerprint() const {
  return fmt::format("embedder=sentence/{}/{}", model_->identity(),
                     modules_hash());
}

result<std::vector<std::vector<double>>>
sentence_embedder::embed(const std::vector<std::string>& texts,
                         job_context& context) const {
  std::vector<std::vector<double>> out;
  out.reserve(texts.size());
  std::vector<std::string> batch;
  while (out.size() < texts.size()) {
    if (context.cancelled && *context.cancelled)
      return error{ec::cancelled, "embedder: the job was cancelled"};
    batch.clear();
    std::size_t bytes = 0;
    for (auto i = out.size(); i < texts.size() && batch.size() < batch_; ++i) {
      const auto& text = texts[i];
      if (text.size() > text_bytes_max)
        return error{ec::invalid_argument,
                     fmt::format("embedder: text {} of {} has {} bytes; the "
                                 "sentence model is sent at most {}",
                                 i + 1, texts.size(), text.size(),
                                 text_bytes_max)};
      bytes += text.size();
      if (!batch.empty() && bytes > text_bytes_max) break;
      batch.push_back(text);
    }
    auto got = model_->embed(batch);
    if (!got) return got.error();
    std::move(got->begin(), got->end(), std::back_inserter(out));
  }
  return out;
}

} // namespace brewery
