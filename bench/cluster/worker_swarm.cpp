#include "bench/cluster/worker_swarm.hpp"

#include "base/compression.hpp"
#include "bench/cluster/load_generator.hpp"
#include "bench/cluster/process.hpp"
#include "messages/wire/codec.hpp"
#include "messages/wire/frame_batch.hpp"
#include "net/realtime_context.hpp"
#include "run/setup/worker_benchmarks.hpp"
#include "store/event_log.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <memory>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unordered_map>
#include <zmq.hpp>

namespace brewery::bench {

arrival_table::arrival_table(const std::filesystem::path& file,
                             std::size_t jobs)
    : jobs_(jobs) {
  const int opened = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const auto bytes = jobs * sizeof(*table_);
  void* memory = MAP_FAILED;
  if (opened >= 0 && ::ftruncate(opened, static_cast<off_t>(bytes)) == 0)
    memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
  if (opened >= 0) ::close(opened);
  if (memory == MAP_FAILED) stop("cannot map " + file.string());
  table_ = static_cast<std::atomic<std::int64_t>*>(memory);
}

arrival_table::~arrival_table() {
  ::munmap(table_, jobs_ * sizeof(*table_));
}

void arrival_table::stamp(std::uint64_t job) {
  if (job < jobs_)
    table_[job] = bench_clock::now().time_since_epoch() // the machine's clock
                  / std::chrono::nanoseconds{1};
}

std::int64_t arrival_table::of(std::uint64_t job) const {
  return table_[job];
}

namespace {

struct swarm_worker {
  zmq::socket_t socket;
  std::unique_ptr<worker_session> session;
};

struct worker_swarm {
  explicit worker_swarm(const swarm_options& with) : options(with) {}

  zmq::context_t context{1};
  std::vector<swarm_worker> workers;
  const swarm_options& options;

  static microseconds now() {
    return std::chrono::duration_cast<microseconds>(
        bench_clock::now().time_since_epoch());
  }

  void carry_out(swarm_worker& one, const worker_step& step) {
    for (const auto& message : step.send)
      if (!one.socket.send(zmq::buffer(wire::frame(message)),
                           zmq::send_flags::dontwait))
        one.session->unsent(now());
    for (const auto& grant : step.start)
      carry_out(one, one.session->finished(grant.key.run, grant.key.job,
                                           options.answer(grant), {}, now()));
    if (step.leave) stop("a worker of the swarm left: " + *step.leave);
  }

  void add(std::size_t number) {
    auto& one = workers.emplace_back();
    auto profile = options.profile;
    profile.name = fmt::format("swarm-{}", number);
    profile.incarnation = fmt::format("{:032x}", number);
    profile.host = "swarm";
    one.socket = zmq::socket_t{context, zmq::socket_type::dealer};
    one.socket.set(zmq::sockopt::routing_id, profile.incarnation);
    one.socket.set(zmq::sockopt::linger, 0);
    one.socket.connect(options.endpoint);
    one.session =
        std::make_unique<worker_session>(std::move(profile), cluster_options{});
  }

  void receive(swarm_worker& one) {
    zmq::message_t frame;
    while (one.socket.recv(frame, zmq::recv_flags::dontwait)) {
      const auto parts = wire::frames_in(frame.to_string_view());
      if (!parts) stop(parts.error().message);
      for (const auto part : *parts) {
        auto message = wire::unframe(part);
        if (!message) stop(message.error().message);
        carry_out(one, one.session->on(*message, now()));
      }
    }
  }
};

[[noreturn]] void run_swarm(const swarm_options& options) {
  worker_swarm all{options};
  all.context.set(zmq::ctxopt::max_sockets, 16384);
  const int poller = ::epoll_create1(EPOLL_CLOEXEC);
  if (options.realtime) {
    // As `brewery worker --realtime`.
    begin_in_realtime(all.context);
    schedule_in_realtime();
  }
  for (std::size_t i = 0; i < options.workers; ++i) {
    all.add(options.first + i);
    epoll_event event{EPOLLIN | EPOLLET, {.u64 = i}};
    ::epoll_ctl(poller, EPOLL_CTL_ADD,
                all.workers[i].socket.get(zmq::sockopt::fd), &event);
  }
  for (auto& one : all.workers)
    all.carry_out(one, one.session->begin(worker_swarm::now()));
  // ZeroMQ's descriptors report only changes, and sending may consume one. So a
  // worker is checked after each event and at each of its ticks, which come one
  // after the other: real workers do not tick all at once.
  const auto tick_every =
      microseconds{100'000} / static_cast<std::int64_t>(options.workers);
  auto tick_at = worker_swarm::now();
  std::size_t next = 0;
  std::vector<epoll_event> events(256);
  for (;;) {
    const int count =
        ::epoll_wait(poller, events.data(), static_cast<int>(events.size()), 5);
    for (int i = 0; i < count; ++i)
      all.receive(all.workers[events[static_cast<std::size_t>(i)].data.u64]);
    for (; tick_at < worker_swarm::now(); tick_at += tick_every) {
      auto& one = all.workers[next++ % options.workers];
      all.receive(one);
      all.carry_out(one, one.session->tick(worker_swarm::now()));
    }
  }
}

} // namespace

void answer_nothing(swarm_options options, arrival_table* arrivals) {
  options.profile.roles = {job_kind::embed};
  options.answer = [arrivals](const lease_grant& grant) {
    if (arrivals) arrivals->stamp(number_of(grant.key.job));
    return wire::encode(make_result(embed_result{grant.key.job, {}}));
  };
  run_swarm(options);
}

void answer_from_log(swarm_options options,
                     const std::vector<std::string>& environments,
                     const std::filesystem::path& run) {
  const auto benchmarks =
      worker_benchmarks::load(environments, spreadsheet::share::all);
  if (!benchmarks) stop(benchmarks.error().message);
  for (const auto& [kind, source] : (*benchmarks)->by_kind())
    options.profile.benchmarks.push_back({kind, source->fingerprint()});
  options.profile.roles = {job_kind::rollout, job_kind::integrate,
                           job_kind::embed};
  std::unordered_map<std::string, std::string> results; // as workers send them
  const auto log = event_log::open_for_reading(run);
  if (!log) stop(log.error().message);
  const auto read = (*log)->for_each([&](const event_row& row) -> result<void> {
    if (row.kind == job_result::type_name)
      results.emplace(row.key, compress_to_send(row.payload));
    return {};
  });
  if (!read) stop(read.error().message);
  options.answer = [&results](const lease_grant& grant) {
    const auto known = results.find(grant.key.job.value);
    if (known == results.end())
      stop("the log has no result of job " + grant.key.job.value
           + ": that run was another one");
    return known->second;
  };
  run_swarm(options);
}

} // namespace brewery::bench
