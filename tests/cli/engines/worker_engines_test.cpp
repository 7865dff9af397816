/// The command lines for engines that people have, and what their answers mean.

#include "cli/cluster_up/cluster_up.hpp"
#include "cli/cluster_up/worker_options.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using Catch::Contains;

namespace {

worker_array an_array(const std::string& engine) {
  worker_array out;
  out.name = "night";
  out.engine = engine;
  out.program = "/opt/brew ery";
  out.directory = "/data/it's";
  out.worker_words = {"--env",     "external=run 'x' $HOME",
                      "--connect", "tcp://head:7420",
                      "--key",     "keys/w1.key"};
  return out;
}

using words = std::vector<std::string>;

} // namespace

TEST_CASE("Slurm gets one array, and its shell fills in the name only") {
  auto array = an_array("slurm");
  array.engine_words = {"--partition=cpu"};
  const auto commands = slurm_engine().start(array, {0, 1, 2, 5});
  REQUIRE(commands.size() == 1);
  CHECK(commands[0].words
        == words{"sbatch", "--parsable", "--job-name=night", "--array=0-2,5",
                 "--chdir=/data/it's", "--output=night-%a.log",
                 "--open-mode=append", "--requeue", "--partition=cpu",
                 "--wrap=exec '/opt/brew ery' worker --name "
                 "night-\"$SLURM_ARRAY_TASK_ID\" --env 'external=run "
                 "'\\''x'\\'' $HOME' --connect tcp://head:7420 --key "
                 "keys/w1.key --grace 20"});
  array.worker_words = {"--grace=5"};
  CHECK_THAT(slurm_engine().start(array, {0})[0].words.back(),
             !Contains("20") && Contains("--grace=5"));
}

TEST_CASE("Slurm's answers name the tasks") {
  auto array = an_array("slurm");
  CHECK(slurm_engine().list(array).empty()); // nothing was started
  const auto handles = slurm_engine().started({0, 7}, "12;cluster\n");
  REQUIRE(handles);
  CHECK(*handles
        == std::map<std::uint32_t, std::string>{{0, "12_0"}, {7, "12_7"}});
  CHECK_FALSE(slurm_engine().started({0}, "sbatch: hello\n"));
  array.handles = {{0, "12_0"}, {1, "12_1"}, {2, "12_2"}, {3, "14_3"}};
  CHECK(slurm_engine().list(array)[0].words
        == words{"squeue", "--noheader", "--array", "--me", "--name=night",
                 "--format=%F_%K %T"});
  const auto there = slurm_engine().listed(
      array, "12_0 RUNNING\n12_1 COMPLETING\n14_3 PENDING\n9_2 RUNNING\n");
  REQUIRE(there);
  REQUIRE(there->size() == 2); // 12_1 ends, 12_2 has ended, 9_2 is another's
  CHECK((*there)[0].id == 0);
  CHECK((*there)[0].running);
  CHECK((*there)[1].id == 3);
  CHECK_FALSE((*there)[1].running);
  CHECK(slurm_engine().stop(array, {1, 3})[0].words
        == words{"scancel", "--quiet", "12_1", "14_3"});
}

TEST_CASE("ssh gets a script for each host, and no word twice quoted") {
  auto array = an_array("ssh");
  array.hosts = {"a", "me@b"};
  array.engine_words = {"-p", "2222"};
  const auto commands = ssh_engine().start(array, {0, 1, 2});
  REQUIRE(commands.size() == 2);
  CHECK(commands[0].words
        == words{"ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-p",
                 "2222", "--", "a", "sh -s"});
  CHECK(commands[1].words[8] == "me@b");
  const auto& script = commands[0].input;
  CHECK_THAT(script, Contains("cd -- '/data/it'\\''s' || exit 3"));
  CHECK_THAT(script, Contains("' head 7420 2>/dev/null"));
  CHECK_THAT(script,
             Contains("setsid '/opt/brew ery' worker --name night-2 --env "
                      "'external=run '\\''x'\\'' $HOME' --connect "
                      "tcp://head:7420 --key keys/w1.key >>night-2.log 2>&1 "
                      "</dev/null &\necho 2 a:$!\n"));
  CHECK_THAT(script, !Contains("night-1"));
}

TEST_CASE("ssh finds its processes by number and name, where they were") {
  auto array = an_array("ssh");
  array.hosts = {"c"}; // since then
  array.handles = {{0, "a:4711"}, {1, "me@b:12"}};
  const auto lists = ssh_engine().list(array);
  REQUIRE(lists.size() == 2);
  CHECK(lists[1].words[6] == "me@b");
  CHECK_THAT(lists[1].input, Contains("set -- 1 12 night-1; mine \"$@\" && "
                                      "echo \"$1 running\"\n"));
  const auto stops = ssh_engine().stop(array, {0, 9});
  REQUIRE(stops.size() == 1);
  CHECK_THAT(stops[0].input, Contains("set -- 0 4711 night-0; mine \"$@\" && "
                                      "kill -TERM \"$2\"\n"));
  CHECK(*ssh_engine().started({0}, "Welcome to a!\n0 a:4711\n")
        == std::map<std::uint32_t, std::string>{{0, "a:4711"}});
}

TEST_CASE("Kubernetes gets a number of replicas") {
  auto array = an_array("k8s");
  array.deployment = "brewery-grader";
  array.engine_words = {"--context=prod"};
  CHECK(k8s_engine().start(array, {2, 3})[0].words
        == words{"kubectl", "scale", "--replicas=4",
                 "deployment/brewery-grader", "--namespace=brewery",
                 "--context=prod"});
  CHECK(k8s_engine().stop(array, {1, 2, 3})[0].words[2] == "--replicas=1");
  const auto there = k8s_engine().listed(array, "3 1");
  REQUIRE(there);
  REQUIRE(there->size() == 3);
  CHECK((*there)[0].running);
  CHECK_FALSE((*there)[1].running);
  CHECK(k8s_engine().listed(array, "0 ")->empty());
  CHECK_FALSE(k8s_engine().listed(array, "none"));
}

TEST_CASE("Ray gets an order as JSON, with key files by their paths") {
  auto array = an_array("ray");
  array.engine_words = {"num_cpus=2"};
  const auto command = ray_engine().start(array, {1})[0];
  CHECK(command.words[0] == "python3");
  CHECK_THAT(command.input, Contains("import ray"));
  const auto order = nlohmann::json::parse(command.words[2]);
  CHECK(order["do"] == "start");
  CHECK(order["workers"]["1"]["words"] == worker_line(array, "night-1"));
  CHECK(order["workers"]["1"]["log"] == "night-1.log");
  const auto there = ray_engine().listed(array, "0 running\n3 waiting\n");
  REQUIRE(there->size() == 2);
  CHECK_FALSE((*there)[1].running);
}

TEST_CASE("an array is stored and read back") {
  auto array = an_array("ssh");
  array.hosts = {"a"};
  array.handles = {{0, "a:1"}, {17, "a:2"}};
  array.enough_since_s = 1700000000;
  const auto back = parse_worker_array(to_json(array));
  REQUIRE(back);
  CHECK(to_json(*back) == to_json(array));
  CHECK_FALSE(parse_worker_array("{\"name\": \"x\"}"));
  CHECK_FALSE(parse_worker_array(""));
}

TEST_CASE("workers get the coordinator's address, never an operator's key") {
  connection_arguments mine;
  mine.connect = "tcp://head:7420";
  CHECK(*worker_options({"--env", "toy"}, "slurm", mine)
        == words{"--env", "toy", "--connect", "tcp://head:7420"});
  CHECK(*worker_options({"--env", "toy", "--connect=tcp://x:1"}, "ssh", mine)
        == words{"--env", "toy", "--connect=tcp://x:1"});
  mine.key = "keys/alice.key";
  mine.server_key = "/keys/coordinator.pub";
  CHECK_THAT(worker_options({"--env", "toy"}, "ray", mine).error().message,
             Contains("a key of their own"));
  CHECK(*worker_options({"--key", "w.key"}, "slurm", mine)
        == words{"--key", "w.key", "--connect", "tcp://head:7420",
                 "--server-key", "/keys/coordinator.pub"});
  CHECK_THAT(worker_options({"--evn", "toy"}, "slurm", mine).error().message,
             Contains("--env"));
  CHECK_THAT(worker_options({"--name", "x"}, "slurm", mine).error().message,
             Contains("--name"));
  CHECK_THAT(worker_options({"--env", "toy"}, "k8s", mine).error().message,
             Contains("Deployment"));
}

TEST_CASE("an array keeps what is not given again, and its engine") {
  cluster_up_arguments now;
  now.name = "night";
  CHECK_THAT(array_of(now, std::nullopt).error().message, Contains("--on"));
  now.engine = "ssh";
  CHECK_THAT(array_of(now, std::nullopt).error().message, Contains("--host"));
  now.hosts = {"a"};
  now.worker_words = {"--env", "toy"};
  auto array = array_of(now, std::nullopt);
  REQUIRE(array);
  CHECK_FALSE(array->program.empty());
  cluster_up_arguments later;
  later.name = "night";
  const auto again = array_of(later, *array);
  REQUIRE(again);
  CHECK(to_json(*again) == to_json(*array));
  later.engine = "slurm";
  CHECK_THAT(array_of(later, *array).error().message, Contains("take it down"));
}

TEST_CASE("names of arrays are names of files and jobs") {
  for (const auto* good : {"a", "night_2-x", "0"})
    CHECK(is_array_name(good));
  for (const auto* bad : {"", "-a", "a/b", "..", "a b", "a;b", "\xc3\xa4"})
    CHECK_FALSE(is_array_name(bad));
  CHECK_FALSE(is_array_name(std::string(41, 'a')));
}

TEST_CASE("an array gets the lowest free ids, and loses who does least") {
  const std::vector<engine_worker> there{
      {0, true}, {2, true}, {3, false}, {4, true}};
  CHECK(change_to(6, there).start == worker_ids{1, 5});
  CHECK(change_to(4, there).start.empty());
  CHECK(change_to(4, there).stop.empty());
  CHECK(change_to(3, there).stop == worker_ids{3});            // waits
  CHECK(change_to(2, there).stop == worker_ids{3, 4});         // the highest
  CHECK(change_to(2, there, {2, 4}).stop == worker_ids{0, 3}); // idle
  CHECK(change_to(0, there).stop == worker_ids{0, 2, 3, 4});
}

TEST_CASE("an array grows at once and shrinks after five quiet minutes") {
  const scaling_bounds bounds{2, 10, 4};
  std::int64_t since = 0;
  CHECK(wanted_workers({30, 3}, bounds, 2, 1000, since) == 9);
  CHECK(wanted_workers({300, 0}, bounds, 2, 1000, since) == 10);
  CHECK(wanted_workers({0, 0}, bounds, 9, 1000, since) == 9);
  CHECK(since == 1000);
  CHECK(wanted_workers({0, 0}, bounds, 9, 1299, since) == 9);
  CHECK(wanted_workers({0, 0}, bounds, 9, 1300, since) == 2);
  CHECK(since == 0);
  // Work that comes back begins the wait anew.
  CHECK(wanted_workers({0, 0}, bounds, 9, 2000, since) == 9);
  CHECK(wanted_workers({36, 0}, bounds, 9, 2100, since) == 9);
  CHECK(wanted_workers({0, 0}, bounds, 9, 2301, since) == 9);
  CHECK(wanted_workers({0, 0}, {2, 5, 4}, 9, 2302, since) == 5);
}

TEST_CASE("an array goes on with the Deployment that it was given") {
  cluster_up_arguments now;
  now.engine = "k8s";
  CHECK(array_of(now, std::nullopt)->deployment == "brewery-worker");
  now.deployment = "brewery-grader";
  const auto array = array_of(now, std::nullopt);
  REQUIRE(array);
  cluster_up_arguments later;
  CHECK(array_of(later, *array)->deployment == "brewery-grader");
  later.deployment = "other";
  CHECK(array_of(later, *array)->deployment == "other");
}
