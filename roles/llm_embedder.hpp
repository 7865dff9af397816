#pragma once
/// The embedder on a language model: texts in batches, each vector brought to
/// length 1.

#include "roles/model_asker.hpp"

namespace brewery {

class llm_embedder final : public embedder {
public:
  llm_embedder(model_asker ask, const embedder_options& options);

  /// Error ec::malformed when the model's vectors cannot be unit vectors of one
  /// length (their number, their lengths, zeros, numbers that are none), naming
  /// the text; ec::invalid_argument for an empty text.
  result<std::vector<std::vector<double>>>
  embed(const std::vector<std::string>& texts,
        job_context& context) const override;

  [[nodiscard]] std::string fingerprint() const;

private:
  model_asker ask_;
  std::uint32_t dimensions_;
  std::size_t batch_;
};

} // namespace brewery
