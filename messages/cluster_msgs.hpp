#pragma once
/// The messages between coordinator, workers and operators. docs/messages.md
/// lists every field; tests/messages/describe.hpp makes it from these structs,
/// and the test "docs/messages.md is up to date" writes it.
/// messages/wire/frame.hpp puts the messages into frames.
///
/// A worker says hello and gets a session. All later messages of both sides
/// carry the session's number; a message of another session is refused. A
/// refused worker says hello again and names what it is running and what it has
/// finished, so no work is repeated.

#include "base/error.hpp"
#include "messages/job_msgs.hpp"

#include <string_view>

namespace brewery {

/// The protocol versions that this build supports. Version 2 added the members
/// that `optional_field` names; a peer of version 1 is served without them.
/// Version 3 added model_ask and model_reply, version 4 grade_ask and
/// grade_reply. A peer of version 3 asks for grades with the messages for
/// models (cluster/questions/protocol3_grades.hpp). Version 5 compresses
/// results, packs the insights of integrations and of results, and has batches
/// of frames (messages/wire/frame_batch.hpp). Version 6 names the insights of
/// an integration instead of sending them (messages/told_insights.hpp), version
/// 7 packs what it names (messages/snapshot_msgs.hpp).
inline constexpr std::uint32_t protocol_oldest = 1;
inline constexpr std::uint32_t protocol_newest = 7;
/// The first version whose workers can ask language models.
inline constexpr std::uint32_t protocol_with_models = 3;
/// The first version with messages of their own for grades.
inline constexpr std::uint32_t protocol_with_grades = 4;
/// The first version with compressed results and packed insights.
inline constexpr std::uint32_t protocol_with_compression = 5;
/// The first version whose workers make the list of a named pool. Those of
/// version 6 did so of parts that nobody makes any more.
inline constexpr std::uint32_t protocol_with_pools = 7;
/// The first version whose peers read batches of frames.
inline constexpr std::uint32_t protocol_with_batches = 5;

/// The right to run one attempt of a job. `epoch` counts the coordinator's
/// starts, `attempt` its leases in that epoch, so every key is unique. A result
/// under a key that is no live lease is refused.
struct lease_key {
  run_id run;
  job_id job;
  std::uint64_t attempt = 0;
  std::uint64_t epoch = 0;
  static constexpr renamed_field renamed{"run", "search"};
  BREWERY_FIELDS(lease_key, run, job, attempt, epoch)
};

/// A benchmark whose tasks a worker can run. Equal fingerprints mean equal
/// data, tools and graders.
struct benchmark_offer {
  std::string name;
  std::string fingerprint;
  BREWERY_FIELDS(benchmark_offer, name, fingerprint)
};

/// A job that a worker holds: it runs, or it is finished and its result waits
/// for acknowledgement.
struct worker_job {
  lease_key key;
  bool finished = false;
  std::uint64_t steps = 0; ///< tool calls so far: progress, for people
  static constexpr bool optional_field(std::string_view field) {
    return field == "steps";
  }
  BREWERY_FIELDS(worker_job, key, finished, steps)
};

// -- worker to coordinator ---------------------------------------------------

struct worker_hello {
  std::uint64_t sequence = 0; ///< counts the hellos of this process
  std::uint32_t protocol_min = protocol_oldest;
  std::uint32_t protocol_max = protocol_newest;
  std::string build;       ///< version of Brewery
  std::string worker;      ///< name, for people
  std::string incarnation; ///< random, new at every start of the process
  std::uint32_t slots = 1; ///< number of concurrent jobs
  /// "rollout", "integrate", "embed", "grade", "memory"
  std::vector<std::string> roles;
  /// The benchmarks for "rollout", and the goldens for "grade".
  std::vector<benchmark_offer> benchmarks;
  std::vector<worker_job> jobs; ///< to adopt
  std::string host;             ///< backup copies go elsewhere
  /// What the machine has, in its operator's words, e.g. "gpu".
  std::vector<std::string> tags{};
  /// By fingerprint: so many of its rollouts at once. Others have all slots.
  std::map<std::string, std::uint32_t> slots_for{};
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "host" || field == "tags" || field == "slots_for";
  }
  static constexpr renamed_field renamed{"jobs", "held"};
  BREWERY_FIELDS(worker_hello, sequence, protocol_min, protocol_max, build,
                 worker, incarnation, slots, roles, benchmarks, jobs, host,
                 tags, slots_for)
};

/// Sent by the network thread every welcome.heartbeat_ms. Keeps every lease of
/// the session alive.
struct worker_heartbeat {
  std::uint64_t session = 0;
  std::uint64_t sequence = 0; ///< older ones are ignored
  std::vector<worker_job> jobs;
  bool draining = false; ///< takes no more leases
  /// Lines of the worker's log since the heartbeat before, as JSON. They are
  /// not sent again if the heartbeat is lost.
  std::vector<std::string> log{};
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "log";
  }
  static constexpr renamed_field renamed{"jobs", "held"};
  BREWERY_FIELDS(worker_heartbeat, session, sequence, jobs, draining, log)
};

/// Sent again until it is acknowledged.
struct result_report {
  std::uint64_t session = 0;
  lease_key key;
  /// Wire bytes of a job_result, compressed if long (base/compression.hpp);
  /// empty with an error.
  std::string result;
  std::string error; ///< one line: the worker could not do the job
  /// The job's time on a slot, without what it waited for one; 0: not known.
  std::uint32_t played_us = 0;
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "played_us";
  }
  BREWERY_FIELDS(result_report, session, key, result, error, played_us)
};

/// Requests contents by hash: documents and set-ups.
struct blob_request {
  std::uint64_t session = 0;
  std::vector<std::string> hashes;
  BREWERY_FIELDS(blob_request, session, hashes)
};

/// In protocol 3: the number, among a rollout's calls, that stands for the
/// request of its grade.
inline constexpr std::uint32_t grade_number = 0xffff'ffff;

/// A running job asks a language model. The coordinator has the keys, the
/// budget and the recording. Repeated until the reply arrives.
struct model_ask {
  std::uint64_t session = 0;
  run_id run;
  job_id job;
  std::uint32_t number = 0; ///< counts the job's calls
  std::string call;         ///< wire bytes of a model_call
  static constexpr renamed_field renamed{"run", "search"};
  BREWERY_FIELDS(model_ask, session, run, job, number, call)
};

/// A rollout asks for its grade if its worker may lack the goldens. Repeated
/// until the reply arrives.
struct grade_ask {
  std::uint64_t session = 0;
  run_id run;
  job_id job; ///< the rollout
  task_id task;
  std::vector<answer_file> answers;
  static constexpr renamed_field renamed{"run", "search"};
  BREWERY_FIELDS(grade_ask, session, run, job, task, answers)
};

/// The worker leaves. The jobs in `handed_back` were not finished.
struct worker_goodbye {
  std::uint64_t session = 0;
  std::vector<lease_key> handed_back;
  std::string reason;
  BREWERY_FIELDS(worker_goodbye, session, handed_back, reason)
};

// -- coordinator to worker ---------------------------------------------------

struct worker_welcome {
  std::uint64_t hello = 0; ///< sequence of the hello that this answers
  std::uint32_t protocol = protocol_newest;
  std::uint64_t session = 0;
  std::uint64_t epoch = 0;
  std::uint64_t lease_ms = 0;
  std::uint64_t heartbeat_ms = 0;
  /// The jobs that the worker keeps, under these keys from now on. It drops the
  /// others.
  std::vector<lease_key> adopted;
  /// Names the coordinator over its restarts: results that a worker keeps for
  /// another one are none of its business. Empty: it has no name.
  std::string cluster{};
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "cluster";
  }
  BREWERY_FIELDS(worker_welcome, hello, protocol, session, epoch, lease_ms,
                 heartbeat_ms, adopted, cluster)
};

/// The previous message was refused. `hello_again`: say hello and continue;
/// otherwise a retry is useless.
struct peer_refusal {
  std::uint64_t session = 0; ///< of the refused message; 0: of a hello
  std::string reason;        ///< one line
  bool hello_again = false;
  BREWERY_FIELDS(peer_refusal, session, reason, hello_again)
};

struct lease_grant {
  std::uint64_t session = 0;
  lease_key key;
  std::string setup; ///< hash of the run's set-up, which is a blob
  std::string work;  ///< wire bytes of a job
  /// The job's limit; 0: none. The coordinator enforces it; a worker may, too.
  std::uint64_t time_limit_ms = 0;
  static constexpr bool optional_field(std::string_view field) {
    return field == "time_limit_ms";
  }
  BREWERY_FIELDS(lease_grant, session, key, setup, work, time_limit_ms)
};

struct heartbeat_reply {
  std::uint64_t session = 0;
  std::uint64_t sequence = 0;
  std::vector<lease_key> cancelled; ///< held without a lease: to drop
  BREWERY_FIELDS(heartbeat_reply, session, sequence, cancelled)
};

enum class result_verdict : std::uint8_t {
  counted = 0, ///< the result counts and is in the log
  stale = 1,   ///< another result counts, or nobody waits any more
};

/// The worker may forget the result.
struct result_ack {
  std::uint64_t session = 0;
  lease_key key;
  result_verdict verdict = result_verdict::counted;
  BREWERY_FIELDS(result_ack, session, key, verdict)
};

struct lease_cancel {
  std::uint64_t session = 0;
  lease_key key;
  BREWERY_FIELDS(lease_cancel, session, key)
};

/// The worker takes no more jobs, finishes running ones, and leaves.
struct drain_order {
  std::uint64_t session = 0;
  std::string reason;
  BREWERY_FIELDS(drain_order, session, reason)
};

/// A run's set-up, which is a blob: all that a worker needs for its jobs.
struct run_setup {
  std::string fingerprint; ///< the fingerprint of its rollouts
  std::string config;      ///< the effective configuration, TOML
  /// Fingerprint of the goldens; empty: the benchmark keeps none apart.
  std::string goldens{};
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "goldens";
  }
  BREWERY_FIELDS(run_setup, fingerprint, config, goldens)
};

struct blob_content {
  std::string hash;
  bool found = false;
  std::string content;
  BREWERY_FIELDS(blob_content, hash, found, content)
};

struct model_reply {
  std::uint64_t session = 0;
  run_id run;
  job_id job;
  std::uint32_t number = 0;
  std::string answer; ///< wire bytes of a model_answer; empty with an error
  ec code = ec::ok;
  std::string error; ///< one line
  static constexpr renamed_field renamed{"run", "search"};
  BREWERY_FIELDS(model_reply, session, run, job, number, answer, code, error)
};

struct grade_reply {
  std::uint64_t session = 0;
  run_id run;
  job_id job; ///< the rollout
  task_id task;
  grade_report grade; ///< undefined if there is an error
  ec code = ec::ok;
  std::string error; ///< one line
  static constexpr renamed_field renamed{"run", "search"};
  BREWERY_FIELDS(grade_reply, session, run, job, task, grade, code, error)
};

// -- operators ---------------------------------------------------------------

/// An order of an operator: "submit", "status", "set", "cancel", "resume",
/// "workers", "drain", "quarantine", "retry", "files", "read", "logs".
struct operator_request {
  std::uint64_t number = 0; ///< repeated in the reply
  std::string verb;
  std::map<std::string, std::string> arguments;
  BREWERY_FIELDS(operator_request, number, verb, arguments)
};

struct operator_reply {
  std::uint64_t number = 0;
  std::string error;     ///< one line; empty on success
  std::string body;      ///< JSON
  std::string content{}; ///< bytes of a file
  /// The error's `ec`, which a peer of another release may not have; 0: none.
  std::uint32_t code = 0;
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "content" || field == "code";
  }
  BREWERY_FIELDS(operator_reply, number, error, body, content, code)
};

} // namespace brewery
