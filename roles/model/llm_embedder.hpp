#pragma once
/// The embedder on a language model. It sends texts in batches and scales each
/// vector to length 1.

#include "roles/model/model_asker.hpp"

namespace brewery {

class llm_embedder final : public embedder {
public:
  llm_embedder(model_asker ask, const embedder_options& options);

  /// Error ec::malformed: the model's vectors cannot be scaled to unit vectors
  /// of the same length (wrong number or length, zero vectors, numbers that are
  /// not finite). The message names the text. Error ec::invalid_argument: a
  /// text is empty.
  result<std::vector<std::vector<double>>>
  embed(const std::vector<std::string>& texts,
        job_context& context) const override;

  [[nodiscard]] std::string fingerprint() const;

private:
  result<void> take(embedding_reply reply, const embedding_request& asked,
                    std::vector<std::vector<double>>& out) const;

  model_asker ask_;
  std::uint32_t dimensions_;
  std::size_t batch_;
};

} // namespace brewery
