#pragma once
/// The embedder without a language model: a hashed bag of index terms, weighted
/// by the square root of their counts and scaled to length 1. Texts with common
/// words are similar. It knows no synonyms.

#include "roles/roles.hpp"

namespace brewery {

class procedural_embedder final : public embedder {
public:
  explicit procedural_embedder(std::uint32_t dimensions)
      : dimensions_(dimensions) {}

  result<std::vector<std::vector<double>>>
  embed(const std::vector<std::string>& texts,
        job_context& context) const override;

private:
  std::uint32_t dimensions_;
};

} // namespace brewery
