#pragma once
/// What coordinator, workers and operators say to each other between processes.
/// docs/messages.md lists every field: messages/describe.hpp makes it from
/// these structs, and the test "docs/messages.md is up to date" writes it.
/// messages/wire/frame.hpp puts them into frames.
///
/// A worker says hello and gets a session; everything either side says later
/// carries the session's number, and what belongs to another session is
/// refused. A worker that is refused says hello again and names what it is
/// running and what it has finished, so nothing is played twice.

#include "base/error.hpp"
#include "messages/job_msgs.hpp"

#include <string_view>

namespace brewery {

/// Versions of the protocol this build speaks. 2 added the members that
/// `may_lack` names; a peer that speaks only 1 is served without them. 3 added
/// model_ask and model_reply.
inline constexpr std::uint32_t protocol_oldest = 1;
inline constexpr std::uint32_t protocol_newest = 3;
/// The first version whose workers can ask language models.
inline constexpr std::uint32_t protocol_with_models = 3;

/// The right to run one attempt of a job. `epoch` counts the starts of the
/// coordinator, `attempt` its leases in that epoch, so that no two are alike; a
/// result under any other key than a live lease is refused.
struct lease_key {
  search_id search;
  job_id job;
  std::uint64_t attempt = 0;
  std::uint64_t epoch = 0;
  BREWERY_FIELDS(lease_key, search, job, attempt, epoch)
};

/// A benchmark whose tasks a worker can play. Equal fingerprints mean equal
/// data, tools and graders.
struct benchmark_offer {
  std::string name;
  std::string fingerprint;
  BREWERY_FIELDS(benchmark_offer, name, fingerprint)
};

/// Something a worker has in hand: it runs, or has finished and waits for its
/// acknowledgement.
struct held_job {
  lease_key key;
  bool finished = false;
  std::uint64_t steps = 0; ///< tool calls made so far: progress, for people
  static constexpr bool may_lack(std::string_view field) {
    return field == "steps";
  }
  BREWERY_FIELDS(held_job, key, finished, steps)
};

// -- worker to coordinator ---------------------------------------------------

struct worker_hello {
  std::uint64_t sequence = 0; ///< counts this process's hellos
  std::uint32_t protocol_min = protocol_oldest;
  std::uint32_t protocol_max = protocol_newest;
  std::string build;       ///< version of Brewery
  std::string worker;      ///< name, for people
  std::string incarnation; ///< random, new for every start of the process
  std::uint32_t slots = 1; ///< jobs at once
  /// "rollout", "integrate", "embed", "grade"
  std::vector<std::string> roles;
  /// For "rollout", and of goldens for "grade".
  std::vector<benchmark_offer> benchmarks;
  std::vector<held_job> held; ///< to be adopted
  std::string host;           ///< backup copies go elsewhere
  static constexpr bool may_lack(std::string_view field) {
    return field == "host";
  }
  BREWERY_FIELDS(worker_hello, sequence, protocol_min, protocol_max, build,
                 worker, incarnation, slots, roles, benchmarks, held, host)
};

/// Sent from a thread of its own every welcome.heartbeat_ms; keeps every lease
/// of the session alive.
struct worker_heartbeat {
  std::uint64_t session = 0;
  std::uint64_t sequence = 0; ///< older ones are ignored
  std::vector<held_job> held;
  bool draining = false; ///< takes no more leases
  BREWERY_FIELDS(worker_heartbeat, session, sequence, held, draining)
};

/// Resent until acknowledged.
struct result_report {
  std::uint64_t session = 0;
  lease_key key;
  std::string result; ///< wire bytes of a job_result; empty with an error
  std::string error;  ///< one line: the worker could not do the job
  BREWERY_FIELDS(result_report, session, key, result, error)
};

/// Asks for contents by hash: documents and search set-ups.
struct blob_request {
  std::uint64_t session = 0;
  std::vector<std::string> hashes;
  BREWERY_FIELDS(blob_request, session, hashes)
};

/// The number, among a rollout's calls, of the one that asks for its grade.
inline constexpr std::uint32_t grade_number = 0xffff'ffff;

/// A job that runs asks a language model; the coordinator has the keys, the
/// budget and the recording. Or, under `grade_number`, a rollout asks for its
/// grade where its worker may not know the solutions. Repeated until the reply
/// is there.
struct model_ask {
  std::uint64_t session = 0;
  search_id search;
  job_id job;
  std::uint32_t number = 0; ///< of the job's calls
  std::string call; ///< wire bytes of a model_call, or of a grade_job of which
                    ///< the coordinator fills in `id` and `goldens`
  BREWERY_FIELDS(model_ask, session, search, job, number, call)
};

/// The worker leaves; `handed_back` did not run to its end.
struct worker_goodbye {
  std::uint64_t session = 0;
  std::vector<lease_key> handed_back;
  std::string reason;
  BREWERY_FIELDS(worker_goodbye, session, handed_back, reason)
};

// -- coordinator to worker ---------------------------------------------------

struct worker_welcome {
  std::uint64_t hello = 0; ///< sequence of the hello this answers
  std::uint32_t protocol = protocol_newest;
  std::uint64_t session = 0;
  std::uint64_t epoch = 0;
  std::uint64_t lease_ms = 0;
  std::uint64_t heartbeat_ms = 0;
  /// What the worker holds and is to keep, under these keys from now on; it
  /// drops the rest.
  std::vector<lease_key> adopted;
  BREWERY_FIELDS(worker_welcome, hello, protocol, session, epoch, lease_ms,
                 heartbeat_ms, adopted)
};

/// The message before was not taken. `hello_again`: say hello and go on;
/// otherwise there is no point in trying.
struct peer_refusal {
  std::uint64_t session = 0; ///< of what was refused; 0: of a hello
  std::string reason;        ///< one line
  bool hello_again = false;
  BREWERY_FIELDS(peer_refusal, session, reason, hello_again)
};

struct lease_grant {
  std::uint64_t session = 0;
  lease_key key;
  std::string setup; ///< hash of the search's set-up, a blob
  std::string work;  ///< wire bytes of a job
  /// Of the job; 0: none. The coordinator ends it; a worker may, too.
  std::uint64_t time_limit_ms = 0;
  static constexpr bool may_lack(std::string_view field) {
    return field == "time_limit_ms";
  }
  BREWERY_FIELDS(lease_grant, session, key, setup, work, time_limit_ms)
};

struct heartbeat_reply {
  std::uint64_t session = 0;
  std::uint64_t sequence = 0;
  std::vector<lease_key> cancelled; ///< held without a lease: to be dropped
  BREWERY_FIELDS(heartbeat_reply, session, sequence, cancelled)
};

enum class result_verdict : std::uint8_t {
  kept = 0,  ///< it counts and is in the log
  stale = 1, ///< another result counts, or nobody asks any more
};

/// The worker forgets the result.
struct result_ack {
  std::uint64_t session = 0;
  lease_key key;
  result_verdict verdict = result_verdict::kept;
  BREWERY_FIELDS(result_ack, session, key, verdict)
};

struct lease_cancel {
  std::uint64_t session = 0;
  lease_key key;
  BREWERY_FIELDS(lease_cancel, session, key)
};

/// Take no more jobs, finish what runs, leave.
struct drain_order {
  std::uint64_t session = 0;
  std::string reason;
  BREWERY_FIELDS(drain_order, session, reason)
};

/// A search's set-up, a blob: all a worker needs to run its jobs.
struct search_setup {
  std::string fingerprint; ///< what rollouts of these settings carry
  std::string config;      ///< the effective configuration, TOML
  /// Fingerprint of what answers are compared with; empty: nothing is kept from
  /// who plays.
  std::string goldens{};
  static constexpr bool lacks_when_empty = true;
  static constexpr bool may_lack(std::string_view field) {
    return field == "goldens";
  }
  BREWERY_FIELDS(search_setup, fingerprint, config, goldens)
};

struct blob_content {
  std::string hash;
  bool found = false;
  std::string content;
  BREWERY_FIELDS(blob_content, hash, found, content)
};

struct model_reply {
  std::uint64_t session = 0;
  search_id search;
  job_id job;
  std::uint32_t number = 0;
  std::string answer; ///< wire bytes of a model_answer or grade_result; empty
                      ///< with an error
  ec code = ec::ok;
  std::string error; ///< one line
  BREWERY_FIELDS(model_reply, session, search, job, number, answer, code, error)
};

// -- operators ---------------------------------------------------------------

/// A command of a person or script: "submit", "status", "cancel", "workers",
/// "drain", "quarantine", "retry", "resume".
struct operator_request {
  std::uint64_t number = 0; ///< the reply carries it
  std::string verb;
  std::map<std::string, std::string> arguments;
  BREWERY_FIELDS(operator_request, number, verb, arguments)
};

struct operator_reply {
  std::uint64_t number = 0;
  std::string error; ///< one line; empty when done
  std::string body;  ///< JSON
  BREWERY_FIELDS(operator_reply, number, error, body)
};

} // namespace brewery
