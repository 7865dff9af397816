#pragma once
/// The implementation of model_client: the calls under way and their waiting
/// states. It runs on the client's first event loop. Used only by model_client.

#include "base/rng.hpp"
#include "llm/client/attempt.hpp"
#include "llm/client/concurrency.hpp"
#include "llm/client/model_client.hpp"
#include "llm/client/streaming.hpp"
#include "llm/http/event_loop.hpp"
#include "llm/http/http_client.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace brewery {

/// A call whose request has been encoded.
struct pending_call {
  std::uint64_t ticket = 0;
  std::size_t server = 0;
  std::string model;
  call_options options;
  call_done done;
  std::string target;
  std::shared_ptr<const std::string> body;
  /// To check the reply with, null of a chat; shared with the loop that reads
  /// it.
  std::shared_ptr<const embedding_request> embedding;

  enum class place { queued, out, pausing };
  place at = place::queued;
  event_loop::milliseconds since{0}; ///< when it entered this state
  event_loop::timer timer = 0;       ///< while it pauses
  bool fresh = false;                ///< the next attempt uses a new connection
  bool last_try = false;             ///< `stop_retries` came while it was out
  std::optional<event_loop::milliseconds> first_failure;
  retry_history history;
  std::uint32_t counted = 0; ///< failed attempts that are in report.refused
  call_report report;
};

class model_client::scheduler {
public:
  scheduler(std::vector<std::shared_ptr<const http_endpoint>> endpoints,
            const model_client_options& options);
  ~scheduler();

  /// Index of a provider. Error ec::not_found: unknown; the message lists the
  /// names.
  result<std::size_t> find(const std::string& provider) const;
  [[nodiscard]] const checked_provider& server(std::size_t index) const {
    return servers_[index].endpoint->server;
  }
  [[nodiscard]] ticket next_ticket() { return ++last_ticket_; }
  [[nodiscard]] bool is_here() const { return loops_.front()->is_here(); }
  /// Whether the caller is on a thread of any loop.
  [[nodiscard]] bool on_own_thread() const {
    return std::any_of(loops_.begin(), loops_.end(),
                       [](const auto& loop) { return loop->is_here(); });
  }

  // May be called from any thread.
  void enter(std::shared_ptr<pending_call> call);
  void cancel(ticket call);
  void stop_retries(const std::string& owner);
  void end_calls(const std::string& owner);
  [[nodiscard]] std::vector<provider_status> status() const;

private:
  using call_map = std::map<ticket, std::shared_ptr<pending_call>>;

  struct server_queue {
    std::shared_ptr<const http_endpoint> endpoint;
    call_limiter limiter;
    std::vector<std::unique_ptr<http_client>> clients; ///< one per loop
    event_loop::timer wake_up = 0; ///< when the server's pause ends
    provider_status counts;
    stream_trial streams;
    /// By model, when its latest answered attempt began.
    std::map<std::string, event_loop::milliseconds> answers_since{};
  };

  void on_front(event_loop::task work);
  void accept(std::shared_ptr<pending_call> call);
  void queue(pending_call& call);
  void start_calls(std::size_t server);
  void launch(pending_call& call);
  void settle(ticket call, call_attempt what);
  [[nodiscard]] http_call request_of(const pending_call& call,
                                     const std::shared_ptr<chat_stream>& stream,
                                     stream_mode mode) const;
  void learn(server_queue& server, ticket call, const attempt_result& what);
  void note(server_queue& server, pending_call& call,
            const attempt_result& what);
  void pause(const std::shared_ptr<pending_call>& call,
             std::chrono::milliseconds wait);
  void end(std::shared_ptr<pending_call> call, result<model_answer> answer);
  void abandon(std::shared_ptr<pending_call> call);
  void end_waiting(const std::string& owner, bool also_out);
  void tell(const pending_call& call, call_event event) const;
  call_event event_of(const pending_call& call, call_stage stage) const;
  void publish(std::size_t server);
  std::size_t loop_of(ticket call) const { return call % loops_.size(); }

  /// The first is the front loop.
  std::vector<std::unique_ptr<event_loop>> loops_;
  std::vector<server_queue> servers_;
  call_observer observer_;
  rng jitter_;
  call_map calls_;
  bool closing_ = false;
  std::atomic<ticket> last_ticket_{0};
  mutable std::mutex published_mutex_;
  std::vector<provider_status> published_;
};

} // namespace brewery
