// Many concurrent calls to a slow server: the client's rate beside the ideal,
// its memory and its CPU time. The server is a child process, so the figures
// are only the client's.
//
//   build/release/bench/llm_bench [CALLS_AT_ONCE [LATENCY_MS [SECONDS]]]

#include "llm/client/model_client.hpp"
#include "tests/fixtures/model_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace brewery;
using clock_type = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// The size of an agent's turn: 8 kB request, 1 kB reply.
model_call typical_call() {
  chat_request request;
  request.model = "m";
  request.messages.push_back(
      {chat_role::system, std::string(6000, 's'), {}, {}, {}});
  request.messages.push_back(
      {chat_role::user, std::string(1500, 'u'), {}, {}, {}});
  request.tools.push_back(
      {"look", "Looks at it.",
       R"({"type":"object","properties":{"at":{"type":"string"}}})"});
  model_call out;
  out.request = std::move(request);
  return out;
}

/// Serves until the parent's pipe is closed.
[[noreturn]] void serve(int port_out, int life_in, milliseconds latency) {
  chat_reply reply;
  reply.content = std::string(1000, 'a');
  reply.usage = {2000, 0, 250, 0};
  peer_reply answer;
  answer.headers = {{"Content-Type", "application/json"}};
  answer.body = chat_body(reply);
  answer.delay = latency;
  {
    http_peer peer{[answer](const peer_request&) { return answer; },
                   {{}, false, false}};
    const auto port = peer.port();
    if (::write(port_out, &port, sizeof port) != sizeof port) std::_Exit(1);
    char byte = 0;
    (void)!::read(life_in, &byte, 1);
  }
  std::_Exit(0);
}

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec)
           + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return of(used.ru_utime) + of(used.ru_stime);
}

double peak_mib() {
  std::ifstream status{"/proc/self/status"};
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      double kib = 0;
      status >> kib;
      return kib / 1024;
    }
  return 0;
}

/// Keeps `at_once` calls under way until `stop`, then waits for the last.
class load {
public:
  load(model_client& client, std::size_t at_once)
      : client_(client), call_(typical_call()), out_(at_once) {
    for (std::size_t i = 0; i < at_once; ++i)
      ask();
  }
  ~load() {
    stop_ = true;
    std::unique_lock lock{mutex_};
    empty_.wait(lock, [this] { return out_ == 0; });
  }
  load(const load&) = delete;
  load& operator=(const load&) = delete;

  std::atomic<std::uint64_t> answered{0};
  std::atomic<std::uint64_t> failed{0};

private:
  void ask() {
    client_.ask({"local", "bench", {}}, call_,
                [this](const result<model_answer>& answer, const auto&) {
                  ++(answer ? answered : failed);
                  if (!stop_) return ask();
                  const std::lock_guard lock{mutex_};
                  if (--out_ == 0) empty_.notify_one();
                });
  }

  model_client& client_;
  const model_call call_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable empty_;
  std::size_t out_;
};

struct round_figures {
  double calls_per_second;
  double cpu_ms_per_call;
};

round_figures measure(load& running, double seconds) {
  const auto calls = running.answered.load();
  const auto cpu = cpu_seconds();
  const auto start = clock_type::now();
  ::usleep(static_cast<useconds_t>(seconds * 1e6));
  const auto took =
      std::chrono::duration<double>(clock_type::now() - start).count();
  const auto done = static_cast<double>(running.answered.load() - calls);
  return {done / took, 1000 * (cpu_seconds() - cpu) / done};
}

int run(std::uint16_t port, std::size_t at_once, milliseconds latency,
        double seconds) {
  provider server;
  server.name = "local";
  server.base_url = fmt::format("http://127.0.0.1:{}/v1", port);
  server.initial_concurrency = server.most_concurrency =
      static_cast<std::uint32_t>(at_once);
  auto client = model_client::start({server});
  if (!client) {
    fmt::print(stderr, "{}\n", client.error().message);
    return 1;
  }
  const auto ideal = static_cast<double>(at_once) * 1000.0
                     / static_cast<double>(latency.count());
  std::vector<double> shares;
  std::vector<double> costs;
  load running{**client, at_once};
  ::usleep(1'000'000); // time to connect
  fmt::print("{} calls at once, {} ms each; ideal {:.0f} calls/s\n", at_once,
             latency.count(), ideal);
  for (int round = 0; round < 5; ++round) {
    const auto got = measure(running, seconds);
    fmt::print(
        "  {:8.0f} calls/s  {:5.1f} % of the ideal  {:.3f} ms CPU/call\n",
        got.calls_per_second, 100 * got.calls_per_second / ideal,
        got.cpu_ms_per_call);
    shares.push_back(100 * got.calls_per_second / ideal);
    costs.push_back(got.cpu_ms_per_call);
  }
  std::sort(shares.begin(), shares.end());
  std::sort(costs.begin(), costs.end());
  fmt::print(
      "median {:.1f} % of the ideal (goal 95), {:.3f} ms of the client's "
      "CPU per call (goal 0.3), peak memory {:.0f} MiB (goal 200), "
      "{} failed\n",
      shares[2], costs[2], peak_mib(), running.failed.load());
  return running.failed == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  const auto number = [&](int index, long otherwise) {
    return argc > index ? std::max(1L, std::atol(argv[index])) : otherwise;
  };
  const auto at_once = static_cast<std::size_t>(number(1, 500));
  const milliseconds latency{number(2, 200)};
  int port_pipe[2];
  int life_pipe[2];
  if (::pipe(port_pipe) != 0 || ::pipe(life_pipe) != 0) return 1;
  const auto child = ::fork(); // before threads exist
  if (child == 0) {
    ::close(life_pipe[1]);
    serve(port_pipe[1], life_pipe[0], latency);
  }
  ::close(life_pipe[0]);
  std::uint16_t port = 0;
  if (child < 0 || ::read(port_pipe[0], &port, sizeof port) != sizeof port)
    return 1;
  const auto done =
      run(port, at_once, latency, static_cast<double>(number(3, 4)));
  ::close(life_pipe[1]);
  ::waitpid(child, nullptr, 0);
  return done;
}
