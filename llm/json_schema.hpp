#pragma once
/// The part of JSON Schema that prompts use to say what a reply looks like:
/// type (one or a list), properties, required, additionalProperties (true,
/// false), items (one schema), enum, const, minItems, maxItems, minLength,
/// maxLength, minimum, maximum. title, description, default, examples and $...
/// say nothing about validity. Any other keyword is an error: a rule that is
/// silently not checked would be worse than none.
///
/// Immutable; may be shared by threads.

#include "base/result.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace brewery {

class json_schema {
public:
  /// ec::invalid_argument with the path of what is wrong or not known.
  static result<json_schema> parse(std::string_view text);

  /// ec::malformed with the path of the first violation, in words that can be
  /// given to a model: "reply.insights[2].concept is missing".
  [[nodiscard]] result<void> check(std::string_view json_text) const;

private:
  struct rule;
  struct parser;
  struct checker;
  explicit json_schema(std::shared_ptr<const rule> root)
      : root_(std::move(root)) {}

  std::shared_ptr<const rule> root_;
};

/// The JSON in what a model wrote: the whole text, the inside of a code fence,
/// or an object or list between other words; a leading <think> block is not
/// looked into. Of several the first that `schema` accepts. As the model wrote
/// it, byte for byte.
///
/// ec::malformed when there is none, or with why the last of them (the answer,
/// usually) was not accepted.
result<std::string> extract_json(std::string_view text,
                                 const json_schema& schema);

} // namespace brewery
