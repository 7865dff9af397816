#include "roles/model/llm_statement_judge.hpp"

#include "roles/model/replies.hpp"
#include "roles/model/trajectory_text.hpp"

namespace brewery {

namespace {

/// Long limits: a verdict may depend on any word.
constexpr step_text_limits whole_record{20'000, 20'000, false};

} // namespace

result<std::vector<bool>>
llm_statement_judge::holds(const std::vector<std::string>& statements,
                           const std::vector<trajectory_step>& events) {
  if (statements.empty()) return std::vector<bool>{};
  auto request = ask_.prompted(
      "statement-judge", {{"statements", {numbered(statements)}},
                          {"record", {steps_text(events, whole_record)}}});
  request.schema_name = "verdicts";
  request.schema = verdicts_schema(statements.size());
  return ask_.ask_until_read<std::vector<bool>>(
      std::move(request),
      [&](const chat_reply& reply) {
        return read_verdicts(reply.content, statements.size());
      },
      context_);
}

} // namespace brewery
