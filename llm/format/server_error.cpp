#include "llm/format/server_error.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "llm/format/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace brewery {

namespace {

/// Collects type and code, which are words or, as a status, numbers.
void add_kind(server_error_body& to, const sorted_json& from,
              const char* name) {
  const auto* found = member(from, name);
  if (found == nullptr) return;
  if (found->is_number_unsigned()) {
    const auto value = found->get<std::uint64_t>();
    if (value >= 400 && value <= 599) to.status = static_cast<unsigned>(value);
  }
  if (!found->is_string()) return;
  const auto text = found->get<std::string>();
  if (text.size() == 3 && (text[0] == '4' || text[0] == '5')
      && text.find_first_not_of("0123456789") == std::string::npos)
    to.status = static_cast<unsigned>(std::stoul(text));
  to.kind += (to.kind.empty() ? "" : " ") + text;
}

void add_message(server_error_body& to, const sorted_json& from,
                 const char* name) {
  const auto* found = member(from, name);
  if (found == nullptr || !to.message.empty()) return;
  to.message = found->is_string() ? found->get<std::string>() : to_text(*found);
}

void read_fields(server_error_body& to, const sorted_json& from) {
  for (const auto* name : {"type", "code", "status", "statusCode"})
    add_kind(to, from, name);
  if (const auto* inner = member(from, "innererror"))
    add_kind(to, *inner, "code");
  for (const auto* name : {"message", "detail"})
    add_message(to, from, name);
}

bool any_of(std::string_view text,
            std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [text](auto part) {
    return text.find(part) != std::string_view::npos;
  });
}

bool says_too_long(std::string_view said) {
  return any_of(said, {"context_length_exceeded", "exceed_context_size",
                       "maximum context length", "max context length",
                       "context size", "context window", "context length",
                       "prompt is too long", "input is too long",
                       "maximum input length", "too many input tokens",
                       "maximum model length", "max_model_len"});
}

bool says_filtered(std::string_view said) {
  return any_of(said, {"content_filter", "content_policy",
                       "responsibleaipolicy", "content management policy",
                       "data_inspection_failed", "content_moderation"});
}

bool says_no_credit(std::string_view kind) {
  return any_of(kind, {"insufficient_quota", "billing_hard_limit",
                       "insufficient_balance", "billing_not_active"});
}

bool says_bad_schema(std::string_view said) {
  return any_of(said,
                {"response_format", "response_schema", "output_format",
                 "output_config", "json_schema", "json schema", "grammar"});
}

struct error_meaning {
  attempt_outcome outcome;
  ec code;
  std::string_view advice;
};

error_meaning by_status(unsigned status) {
  using enum attempt_outcome;
  switch (status) {
  case 401:
  case 403:
    return {refused, ec::unauthorized, "check the API key and what it may do"};
  case 402:
    return {refused, ec::unauthorized, "the account has no credit left"};
  case 404:
    return {refused, ec::not_found, "check base_url and the model's name"};
  case 408:
  case 409:
  case 425:
    return {server_error, ec::io, ""};
  case 413:
    return {refused, ec::context_too_long, ""};
  case 429:
    return {rate_limited, ec::rate_limited, ""};
  case 503:
  case 529:
    return {overloaded, ec::rate_limited, ""};
  case 502:
  case 504: // of a gateway: the server may have processed the request
  case 520:
  case 522:
  case 524:
    return {maybe_processed, ec::io, ""};
  default:
    break;
  }
  if (status >= 500) return {server_error, ec::io, ""};
  if (status >= 300 && status < 400)
    return {refused, ec::invalid_config,
            "redirects are not followed; use the final address as base_url"};
  return {refused, ec::invalid_argument, ""};
}

/// The words of a message take precedence over the status where both fit.
error_meaning meaning_of(unsigned status, const server_error_body& complaint) {
  using enum attempt_outcome;
  const auto kind = lower(complaint.kind);
  const auto said = kind + " " + lower(complaint.message);
  if (says_no_credit(kind))
    return {refused, ec::unauthorized, "the account has no credit left"};
  // 500: older versions of llama.cpp send it for request errors.
  const bool about_request = (status >= 400 && status < 429) || status == 500;
  if (about_request && status != 401 && says_filtered(said))
    return {refused, ec::refused_content, ""};
  if (about_request && status != 401 && status != 404 && says_too_long(said))
    return {refused, ec::context_too_long, ""};
  if ((status == 400 || status == 422) && says_bad_schema(said))
    return {refused, ec::invalid_argument,
            "if the server cannot follow this schema, set json_schema = "
            "\"plain\" or json_schema = false for it in the models file"};
  if (status >= 500 && any_of(kind, {"overloaded"}))
    return {overloaded, ec::rate_limited, ""};
  return by_status(status);
}

/// What to change when a server refuses a field of the request; empty: nothing
/// is known.
std::string_view advice_on_field(std::string_view said) {
  if (!any_of(said, {"unsupported", "not supported", "does not support",
                     "not permitted", "extra_forbidden", "unknown name",
                     "unknown parameter", "unrecognized", "unexpected"}))
    return {};
  struct known_field {
    std::string_view name, advice;
  };
  static constexpr known_field fields[] = {
      {"max_completion_tokens", "set max_tokens_field for this server in the "
                                "catalog to the name that it knows"},
      {"max_tokens", "set max_tokens_field for this server in the catalog to "
                     "the name that it knows"},
      {"temperature", "set temperature = false for this model in the catalog"},
      {"seed", "set seed = false for this server in the catalog"},
      {"reasoning_effort", "leave out reasoning_effort of the role"},
  };
  const auto* found =
      std::find_if(std::begin(fields), std::end(fields), [&](const auto& one) {
        return said.find(one.name) != std::string_view::npos;
      });
  return found == std::end(fields) ? "" : found->advice;
}

/// Google puts its errors into a list.
const sorted_json& first_of(const sorted_json& body) {
  return body.is_array() && !body.empty() ? body.front() : body;
}

} // namespace

server_error_body read_complaint(std::string_view body) {
  server_error_body out;
  const auto parsed = parse_server_json(body, "error");
  if (!parsed) {
    // A gateway's HTML page; its markup has no meaning here.
    const auto text = trim(body);
    if (!text.starts_with('<')) out.message = text;
    return out;
  }
  const auto& root = first_of(*parsed);
  if (root.is_string()) out.message = root.get<std::string>();
  const auto* inner = member(root, "error");
  if (inner != nullptr && inner->is_string())
    out.message = inner->get<std::string>();
  if (inner != nullptr && inner->is_object()) read_fields(out, *inner);
  read_fields(out, root);
  return out;
}

bool is_error_body(std::string_view body) {
  const auto parsed = parse_server_json(body, "reply");
  if (!parsed) return false;
  const auto& root = first_of(*parsed);
  if (member(root, "choices") != nullptr || member(root, "data") != nullptr)
    return false;
  const auto* object = member(root, "object");
  return member(root, "error") != nullptr
         || (object != nullptr && *object == "error")
         || member(root, "detail") != nullptr;
}

attempt_result classify(unsigned status, const http_headers& headers,
                        const server_error_body& complaint, std::int64_t now) {
  // For an error with a success status, use the status in the body; without
  // one, treat it as a server error.
  const bool success = status >= 200 && status < 300;
  const auto acts_as = !success                ? status
                       : complaint.status != 0 ? complaint.status
                                               : 500;
  const auto means = meaning_of(acts_as, complaint);
  attempt_result out;
  out.outcome = means.outcome;
  out.status = status;
  out.why.code = means.code;
  out.why.message = fmt::format("HTTP {}", status);
  if (!complaint.message.empty())
    out.why.message += ": " + ascii_line(complaint.message);
  else if (!complaint.kind.empty())
    out.why.message += ": " + ascii_line(complaint.kind, 80);
  const auto advice =
      means.code == ec::invalid_argument && means.advice.empty()
          ? advice_on_field(lower(complaint.kind + " " + complaint.message))
          : means.advice;
  if (!advice.empty()) out.why.message += fmt::format("; {}", advice);
  if (out.outcome != attempt_outcome::refused)
    out.retry_after = retry_after(headers, now);
  return out;
}

} // namespace brewery
