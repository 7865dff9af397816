#pragma once
/// The embedder without a language model: hashed bag of index terms, damped by
/// the square root of the count, normalised to length 1. Texts that share words
/// are near; it knows no synonyms.

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
