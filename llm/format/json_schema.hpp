#pragma once
/// The part of JSON Schema that prompts use to describe replies: type (one or a
/// list), properties, required, additionalProperties (true, false), items (one
/// schema), enum, const, minItems, maxItems, minLength, maxLength, minimum,
/// maximum. title, description, default, examples and $... have no effect on
/// validity. Any other keyword is an error, because a rule that is silently
/// ignored is worse than none.
///
/// Immutable; may be shared by threads.

#include "base/result.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace brewery {

/// What a server is sent of a reply's schema.
enum class schema_form {
  none,
  plain, ///< `plain_schema` of it
  full
};

class json_schema {
public:
  /// Error ec::invalid_argument: the message has the path of what is wrong or
  /// unknown.
  static result<json_schema> parse(std::string_view text);

  /// Error ec::malformed: the message has the path of the first violation, in
  /// words that can be sent to a model: "reply.insights[2].concept is missing".
  /// A member that is there twice is one, as it is not clear which one counts.
  [[nodiscard]] result<void> check(std::string_view json_text) const;

private:
  struct rule;
  struct parser;
  struct checker;
  explicit json_schema(std::shared_ptr<const rule> root)
      : root_(std::move(root)) {}

  std::shared_ptr<const rule> root_;
};

/// The schema with the keywords that every server with schemas knows: type,
/// properties, required, additionalProperties, items, and enum and const of
/// texts. Bounds and enums of numbers are left out. Keeps the order of members.
/// Error ec::invalid_argument: it is no JSON object.
result<std::string> plain_schema(std::string_view text);

/// Finds the JSON in a model's text: the whole text, the content of a code
/// fence, or an object or list between other words. A leading <think> block is
/// skipped. Of several candidates, the first one that `schema` accepts is
/// returned, byte for byte.
///
/// Error ec::malformed: there is no JSON, or none is accepted. The message then
/// says why the last one (usually the answer) was not.
result<std::string> extract_json(std::string_view text,
                                 const json_schema& schema);

} // namespace brewery
