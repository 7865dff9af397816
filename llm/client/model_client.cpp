#include "llm/client/model_client.hpp"

#include "llm/client/call_scheduler.hpp"
#include "llm/format/chat_codec.hpp"
#include "llm/format/embedding_codec.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>

namespace brewery {

namespace {

result<std::string> encode(const model_call& call, const provider& options) {
  if (const auto* embedding = std::get_if<embedding_request>(&call.request))
    return encode_embedding(*embedding);
  return encode_chat(std::get<chat_request>(call.request),
                     {options.supports_json_schema, options.supports_seed,
                      options.max_tokens_field});
}

/// Where a caller waits. Shared with the callback, which may come later.
struct waiting_room {
  std::mutex mutex;
  std::condition_variable over;
  std::optional<result<model_answer>> answer;
  call_report report;
};

} // namespace

model_client::model_client(std::unique_ptr<scheduler> opened)
    : scheduler_(std::move(opened)) {}

model_client::~model_client() = default;

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

result<model_answer>
model_client::ask_and_wait(call_options options, const model_call& call,
                           const std::atomic<bool>* cancelled,
                           call_report* report) {
  BREWERY_ASSERT(!scheduler_->is_here());
  const auto room = std::make_shared<waiting_room>();
  const auto id =
      ask(std::move(options), call,
          [room](result<model_answer> answer, const call_report& took) {
            const std::lock_guard lock{room->mutex};
            room->answer = std::move(answer);
            room->report = took;
            room->over.notify_one();
          });
  std::unique_lock lock{room->mutex};
  bool asked_to_stop = false;
  while (!room->answer) {
    if (!asked_to_stop && cancelled != nullptr && *cancelled) {
      asked_to_stop = true;
      lock.unlock(); // cancel() may call back at once
      cancel(id);
      lock.lock();
      continue;
    }
    room->over.wait_for(lock, std::chrono::milliseconds{50});
  }
  if (report != nullptr) *report = room->report;
  return *std::move(room->answer);
}

std::vector<provider_status> model_client::status() const {
  return scheduler_->status();
}

} // namespace brewery
