#pragma once
/// The embedder on a sentence model of this machine. A text that is longer than
/// the model reads counts with its beginning; an empty one has a vector, too.

#include "roles/roles.hpp"
#include "roles/sentence/sentence_model.hpp"

namespace brewery {

class sentence_embedder final : public embedder {
public:
  sentence_embedder(std::shared_ptr<sentence::sentence_model> model,
                    std::size_t batch);

  /// Errors: ec::cancelled between batches; ec::invalid_argument for a text of
  /// more than 2 MiB; else those of the model.
  result<std::vector<std::vector<double>>>
  embed(const std::vector<std::string>& texts,
        job_context& context) const override;

  /// The hash of the model's files and of the service.
  [[nodiscard]] std::string fingerprint() const;

private:
  std::shared_ptr<sentence::sentence_model> model_;
  std::size_t batch_;
};

} // namespace brewery
