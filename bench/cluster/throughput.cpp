#include "bench/cluster/cluster_fixture.hpp"
#include "bench/cluster/echo.hpp"
#include "bench/cluster/process.hpp"
#include "bench/cluster/scenarios.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::bench {

namespace {

std::vector<child> start_workers(const cluster_fixture& at, const load& with) {
  std::vector<child> out;
  for (std::size_t i = 0; i < with.workers; ++i)
    out.emplace_back(std::vector<std::string>{
        brewery_program().string(), "worker", "--connect", at.endpoint(),
        "--env", "toy", "--slots", std::to_string(with.slots), "--name",
        fmt::format("w{}", i), "--no-spool", "--log-level", "off"});
  at.wait_for_workers(with.workers);
  return out;
}

feed all_jobs(const cluster_fixture& at, const load& with) {
  auto out = at.new_feed();
  out.jobs = with.jobs;
  out.window = 4 * with.workers * with.slots; // slots never wait for a job
  return out;
}

double cpu_seconds_of(const std::vector<child>& workers) {
  double sum = 0;
  for (const auto& worker : workers)
    sum += worker.cpu_seconds();
  return sum;
}

/// CPU for a job: of the workers, and of the coordinator by the names of its
/// threads. Of those with this program's name, one is the gateway's, the other
/// waits. On a busy machine this says more than the rate.
void print_cpu(const std::map<std::string, double>& before,
               double worker_seconds, std::size_t jobs) {
  double sum = 0;
  std::string each;
  for (const auto& [thread, seconds] : thread_cpu_seconds()) {
    const auto it = before.find(thread);
    const double us = (seconds - (it == before.end() ? 0 : it->second)) * 1e6
                      / static_cast<double>(jobs);
    sum += us;
    if (us >= 0.1) each += fmt::format(" {} {:.1f}", thread, us);
  }
  fmt::print("  us of CPU a job: workers {:.1f}, coordinator {:.1f}:{}\n",
             worker_seconds * 1e6 / static_cast<double>(jobs), sum, each);
}

double jobs_rate(const load& with, bool durable) {
  const cluster_fixture at{durable};
  const auto workers = start_workers(at, with);
  auto warm_up = all_jobs(at, with);
  warm_up.jobs = with.workers * with.slots * 4;
  run_feed(at.system(), warm_up);
  auto jobs = all_jobs(at, with);
  jobs.first = warm_up.jobs;
  const auto cpu = thread_cpu_seconds();
  const auto worker_cpu = cpu_seconds_of(workers);
  const auto began = bench_clock::now();
  run_feed(at.system(), jobs);
  const auto rate = static_cast<double>(jobs.jobs) / seconds_since(began);
  print_cpu(cpu, cpu_seconds_of(workers) - worker_cpu, jobs.jobs);
  return rate;
}

/// The frame sizes of one no-op job.
echo_sizes sizes_of_noop() {
  const auto work = noop_job(1);
  lease_grant grant;
  grant.session = 1;
  grant.key = {{"bench"}, work.id, 1, 1};
  grant.setup = std::string(32, 'x');
  grant.work = wire::encode(work);
  const auto result = make_result(embed_result{work.id, {}});
  return {wire::frame(grant).size(),
          wire::frame(result_report{1, grant.key, wire::encode(result), {}})
              .size()};
}

/// Jobs per second of Dask's scheduler; 0 if it is not installed. Its messages
/// about workers that end slowly are dropped.
double dask_rate(const load& with) {
  if (!with.dask) return 0;
  const auto script =
      std::filesystem::path{BREWERY_SOURCE_DIR} / "bench/cluster/dask_noop.py";
  const auto command = fmt::format("/usr/bin/python3 '{}' {} {} 2>/dev/null",
                                   script.string(), with.workers, 20'000);
  FILE* out = ::popen(command.c_str(), "r");
  double rate = 0;
  if (!out || std::fscanf(out, "%lf", &rate) != 1) rate = 0;
  if (out) ::pclose(out);
  return rate;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.at(values.size() / 2);
}

} // namespace

void measure_throughput(const load& with) {
  const auto sizes = sizes_of_noop();
  fmt::print("no-op jobs, {} worker processes of {} slots, {} jobs a round, "
             "frames of {} and {} bytes\n",
             with.workers, with.slots, with.jobs, sizes.request_bytes,
             sizes.reply_bytes);
  std::vector<double> echo, deep_echo, memory, durable, dask;
  for (std::size_t round = 0; round < with.rounds; ++round) {
    echo.push_back(echo_rate(with.workers, 1, sizes, 3));
    deep_echo.push_back(echo_rate(with.workers, with.slots, sizes, 3));
    memory.push_back(jobs_rate(with, false));
    durable.push_back(jobs_rate(with, true));
    dask.push_back(dask_rate(with));
    fmt::print("  round {}: echo {:.0f}/s and {:.0f}/s, in memory {:.0f}/s, "
               "durable {:.0f}/s",
               round + 1, echo.back(), deep_echo.back(), memory.back(),
               durable.back());
    if (with.dask) fmt::print(", Dask {:.0f}/s", dask.back());
    fmt::print("\n");
    std::fflush(stdout);
  }
  const auto rate = median(memory);
  fmt::print("  raw echo, a request at a time  {:>7.0f}/s\n"
             "  raw echo, as many as slots     {:>7.0f}/s\n",
             median(echo), median(deep_echo));
  fmt::print("  in memory                      {:>7.0f}/s  {:.2f} and {:.2f} "
             "of these (goals: 20000/s, 0.5)\n",
             rate, rate / median(echo), rate / median(deep_echo));
  fmt::print("  durable                        {:>7.0f}/s  (goal: 10000/s)\n",
             median(durable));
  if (median(dask) > 0)
    fmt::print("  Dask                           {:>7.0f}/s  in memory is "
               "{:.1f} times that (goal: 20)\n",
               median(dask), rate / median(dask));
  else
    fmt::print(
        "  Dask was not run or is not installed (python3-distributed)\n");
}

void measure_memory(const load& with) {
  fmt::print("memory of the coordinator over {} jobs, {} worker processes\n",
             with.jobs, with.workers);
  const cluster_fixture at{false};
  const auto workers = start_workers(at, with);
  auto jobs = all_jobs(at, with);
  const auto step = std::max<std::uint64_t>(jobs.jobs / 10, 1);
  jobs.on_answer = [step](std::uint64_t answered) {
    if (answered % step != 0) return;
    fmt::print("  {:>8} jobs: {:.1f} MiB\n", answered,
               resident_bytes() / (1 << 20));
    std::fflush(stdout);
  };
  run_feed(at.system(), jobs);
}

} // namespace brewery::bench
