#include "roles/memory/json_reply.hpp"

#include "base/printable.hpp"
#include "llm/format/json_schema.hpp"
#include "roles/model/reply_schemas.hpp"
#include "roles/model/reply_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

std::size_t longest_text(const json& value) { // schemas bound its depth
  if (value.is_string()) return value.get_ref<const std::string&>().size();
  std::size_t out = 0;
  if (value.is_structured())
    for (const auto& part : value)
      out = std::max(out, longest_text(part));
  return out;
}

} // namespace

result<json> ask_for_json(const model_asker& ask, const std::string& prompt,
                          const slot_texts& with, const std::string& schema,
                          job_context& context, std::size_t bytes_max) {
  const auto plain = plain_schema(schema);
  BREWERY_ASSERT(plain.has_value()); // Brewery wrote the schema
  const auto checker = json_schema::parse(*plain);
  BREWERY_ASSERT(checker.has_value());
  auto request = ask.prompted(prompt, with);
  request.schema_name = "memory";
  request.schema = schema;
  return ask.ask_until_read<json>(
      std::move(request),
      [&](const chat_reply& reply) -> result<json> {
        const auto text = extract_json(reply.content, *checker);
        if (!text)
          return error{ec::malformed, collapse_spaces(text.error().message)};
        auto read = json::parse(*text);
        if (longest_text(read) > bytes_max)
          return error{
              ec::malformed,
              fmt::format("a text is longer than {} bytes", bytes_max)};
        return read;
      },
      context);
}

result<memory_result> without_reply(const error& why, job_context& context) {
  if (why.code == ec::context_too_long)
    context.note("memory", reply_trouble::refused, why.message);
  else if (why.code != ec::malformed && why.code != ec::refused_content)
    return why; // those two were noted when they came
  return memory_result{};
}

} // namespace brewery
