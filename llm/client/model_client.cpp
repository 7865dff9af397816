#include "llm/client/model_client.hpp"

#include "llm/client/call_scheduler.hpp"
#include "llm/format/chat_codec.hpp"
#include "llm/format/embedding_codec.hpp"

#include <fmt/format.h>

#include <set>
#include <thread>

namespace brewery {

namespace {

result<std::string> encode(const model_call& call, const provider& options) {
  if (const auto* embedding = std::get_if<embedding_request>(&call.request))
    return encode_embedding(*embedding);
  return encode_chat(
      std::get<chat_request>(call.request),
      {options.schemas, options.supports_seed, options.max_tokens_field});
}

} // namespace

model_client::model_client(std::unique_ptr<scheduler> opened)
    : scheduler_(std::move(opened)) {}

model_client::~model_client() {
  if (!scheduler_ || !scheduler_->on_own_thread()) return;
  // A callback was the last owner. A thread cannot wait for its own end.
  std::thread{[last = std::move(scheduler_)]() mutable {
    last.reset();
  }}.detach();
}

result<std::unique_ptr<model_client>>
model_client::start(std::vector<provider> providers,
                    model_client_options options) {
  std::vector<std::shared_ptr<const http_endpoint>> endpoints;
  std::set<std::string> names;
  for (auto& one : providers) {
    if (!names.insert(one.name).second)
      return error{ec::invalid_config,
                   fmt::format("there are two model servers '{}'", one.name)};
    auto checked = check(std::move(one));
    if (!checked) return checked.error();
    auto endpoint = make_endpoint(*std::move(checked));
    if (!endpoint) return endpoint.error();
    endpoints.push_back(*std::move(endpoint));
  }
  return std::unique_ptr<model_client>{new model_client{
      std::make_unique<scheduler>(std::move(endpoints), options)}};
}

model_client::ticket model_client::ask(call_options options,
                                       const model_call& call, call_done done) {
  auto pending = std::make_shared<pending_call>();
  pending->ticket = scheduler_->next_ticket();
  const auto found = scheduler_->find(options.provider);
  if (!found) {
    done(found.error(), {});
    return pending->ticket;
  }
  const auto& server = scheduler_->server(*found);
  auto body = encode(call, server.options);
  if (!body) {
    done(error{body.error().code, server.redact(fmt::format(
                                      "model server '{}': {}", options.provider,
                                      body.error().message))},
         {});
    return pending->ticket;
  }
  pending->server = *found;
  pending->model =
      std::visit([](const auto& one) { return one.model; }, call.request);
  pending->options = std::move(options);
  pending->done = std::move(done);
  const auto* embedding = std::get_if<embedding_request>(&call.request);
  pending->target =
      server.base.target(embedding ? "/embeddings" : "/chat/completions");
  pending->body = std::make_shared<const std::string>(*std::move(body));
  if (embedding)
    pending->embedding = std::make_shared<const embedding_request>(*embedding);
  const auto id = pending->ticket;
  scheduler_->enter(std::move(pending));
  return id;
}

void model_client::cancel(ticket call) {
  scheduler_->cancel(call);
}

void model_client::stop_retries(const std::string& owner) {
  scheduler_->stop_retries(owner);
}

void model_client::end_calls(const std::string& owner) {
  scheduler_->end_calls(owner);
}

std::vector<provider_status> model_client::status() const {
  return scheduler_->status();
}

} // namespace brewery
