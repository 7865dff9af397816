/// Writes the seeds that the fuzzers start from: one valid input per message
/// and some courses of a session. Without them a fuzzer would spend its time on
/// finding the names of fields.
///
///   build/fuzz/make_corpus tests/fuzz/corpus
///
/// Run it when a message changed. It does not touch files of other names: those
/// are inputs that were found, each named after what it once broke.

#include "base/file.hpp"
#include "tests/fuzz/model_seeds.hpp"
#include "tests/fuzz/targets.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

using namespace brewery;

namespace {

std::filesystem::path root;

void keep(const std::string& target, const std::string& name,
          std::string_view bytes) {
  const auto folder = root / target;
  auto done = make_directories(folder);
  if (done) done = write_file_atomically(folder / name, bytes);
  if (done) return;
  std::fprintf(stderr, "make_corpus: %s\n", done.error().message.c_str());
  std::exit(1);
}

template <std::size_t... I>
void frames(std::index_sequence<I...>) {
  const auto one = []<class T>(std::type_identity<T>) {
    keep("frame", T::type_name, wire::frame(samples::full<T>()));
  };
  (one(std::type_identity<std::variant_alternative_t<I, wire::message>>{}),
   ...);
}

template <class T>
void one_struct() {
  keep("job", T::type_name,
       fuzz::selector_of<T>() + wire::encode(samples::full<T>()));
}

/// What is a frame of its own is a seed there.
void structs() {
  samples::for_each_actor_message([]<class T>() { one_struct<T>(); });
  one_struct<run_setup>();
  one_struct<run_record>();
  one_struct<spooled_result>();
}

void results() {
  const auto whole = wire::encode(samples::full<job_result>());
  keep("packed", "plain", '\0' + whole);
  keep("packed", "compressed-here", '\1' + whole);
  keep("packed", "compressed", '\0' + compress(whole));
}

/// See session_target.hpp.
class course {
public:
  template <class T>
  course& says(const T& message, unsigned pause = 4) {
    const auto frame = wire::frame(message);
    bytes_ += static_cast<char>(pause);
    bytes_ += static_cast<char>(frame.size() & 0xff);
    bytes_ += static_cast<char>(frame.size() >> 8);
    bytes_ += frame;
    return *this;
  }
  course& happens(fuzz::event what) {
    bytes_ += static_cast<char>(2 * static_cast<unsigned>(what));
    bytes_ += std::string(2, '\0');
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

private:
  std::string bytes_;
};

lease_key key(const char* job, std::uint64_t attempt = 1) {
  return {{"s"}, {job}, attempt, 1};
}

lease_grant grant(const char* job, std::uint64_t attempt = 1) {
  return {7, key(job, attempt), "setup", "work", 0};
}

worker_welcome welcome(std::uint64_t hello, std::vector<lease_key> adopted) {
  return {hello, protocol_newest, 7, 1, 10'000, 2'500, std::move(adopted)};
}

void sessions() {
  using fuzz::event;
  const auto start = [] { return course{}.says(welcome(1, {key("old", 2)})); };
  keep("session", "work",
       start()
           .says(grant("a"))
           .says(grant("b"))
           .happens(event::wants_blob)
           .says(blob_content{"blob", true, "text"})
           .happens(event::job_goes_on)
           .happens(event::job_ends)
           .says(result_ack{7, key("a"), result_verdict::counted}, 30)
           .says(lease_cancel{7, key("b")}, 90)
           .says(result_ack{7, key("old", 2), result_verdict::stale})
           .happens(event::drains)
           .bytes());
  keep("session", "reborn",
       start()
           .says(grant("a"))
           .happens(event::job_fails)
           .says(peer_refusal{7, "unknown session", true}, 61)
           .says(welcome(2, {key("a", 5)}))
           .says(grant("a", 6))
           .says(heartbeat_reply{7, 1, {key("a", 6)}}, 200)
           .happens(event::hands_back)
           .bytes());
  keep("session", "silence",
       start()
           .says(grant("a"))
           .says(peer_refusal{9, "of another session", true}, 255)
           .happens(event::unsent)
           .says(welcome(2, {}), 255)
           .says(drain_order{7, "maintenance"})
           .bytes());
  // What no coordinator of ours sends.
  auto years = welcome(1, {});
  years.lease_ms = years.heartbeat_ms = UINT64_MAX / 3;
  keep("session", "lease-of-years", course{}.says(years).bytes());
  years.lease_ms = years.heartbeat_ms = UINT64_MAX;
  keep("session", "lease-below-zero", course{}.says(years).bytes());
  auto nobody = grant("a");
  nobody.session = 0;
  keep("session", "grant-of-no-session",
       course{}.says(nobody).happens(event::job_ends).says(nobody).bytes());
  auto unnumbered = welcome(1, {});
  unnumbered.session = 0;
  keep("session", "welcome-to-no-session", course{}.says(unnumbered).bytes());
  keep("session", "link",
       course{}
           .says(samples::full<worker_hello>())
           .says(grant("a"))
           .says(worker_heartbeat{7, 1, {{key("a"), false, 3}}, false})
           .says(result_report{7, key("a"), "result", ""})
           .says(worker_heartbeat{7, 2, {{key("b"), true, 3}}, true})
           .says(worker_goodbye{7, {key("a")}, "done"}, 40)
           .bytes());
}

void keys() {
  const std::string one = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7";
  const std::string two = "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6";
  keep("keys", "one", one + "\n");
  keep("keys", "with-role", "coordinator " + one + "\n");
  keep("keys", "two", "# the old and the new\n" + one + "\n  " + two);
  keep("keys", "none", "# nothing yet\n\n");
  keep("keys", "control-characters", "worker \x1b[2J" + one + "\n");
  auto cut = one;
  cut[35] = '\0';
  keep("keys", "nul-inside", cut);
}

/// See role_reply_target.hpp; the first byte says who reads.
void role_replies() {
  keep("role_reply", "ratings",
       std::string(1, '\0')
           + R"({"ratings": {"looks": {"reason": "r", "score": 1},)"
             R"( "checks": {"reason": "at 3", "score": 0.5}}})");
  keep("role_reply", "insights",
       "\x01Here:\n```json\n"
       R"({"insights": [{"concept": "ROAMING", "insight": "Turn it on.",)"
       R"( "steps": [0, 4]}]})"
       "\n```");
  keep("role_reply", "verdicts",
       "\x02"
       R"({"verdicts": {"1": {"reason": "r", "holds": true},)"
       R"( "3": {"reason": "", "holds": false},)"
       R"( "2": {"reason": "r", "holds": true}}})");
  keep("role_reply", "document",
       "\x03```markdown\n# T\n**When to use**: now [i1]\n\n"
       "## Why to use it\nIt is so [i1, i2].\n### How to perform\n"
       "1. `x[i1]` [i2]\n```\ncode [i1]\n```\n### Additional actions\n- a\n"
       "### Example\n- e\n```");
  keep("role_reply", "arguments",
       "\x04"
       R"({"a": [1, 2.0, {"b": "\u00e9"}], "c": null})");
}

void model() {
  for (const auto& [name, bytes] : fuzz::model_seeds())
    keep("model", name, bytes);
}

/// See tool_arguments_target.hpp.
void tool_calls() {
  const std::string swap =
      R"({"order_id": "#P", "item_ids": ["11", "11"], "new_item_ids": )"
      R"(["12", "12"], "payment_method_id": "credit_card_1"})";
  const std::string address =
      R"("address1": "2 Oak", "address2": "", "city": "K\u00f6ln", )"
      R"("state": "NY", "country": "USA", "zip": "10001"})";
  keep("tool_arguments", "pending",
       "modify_pending_order_items " + swap
           + "\nmodify_pending_order_payment "
             R"({"order_id": "#R", "payment_method_id": "gift_card_1"})"
             "\nmodify_pending_order_address "
             R"({"order_id": "#Q", )"
           + address
           + "\ncancel_pending_order "
             R"({"order_id": "#Q", "reason": "no longer needed"})");
  keep("tool_arguments", "delivered",
       "exchange_delivered_order_items "
       R"({"order_id": "#D", "item_ids": "", "new_item_ids": {}, )"
       R"("payment_method_id": "gift_card_1"})"
       "\nreturn_delivered_order_items "
       R"({"order_id": "#E", "item_ids": ["21"], )"
       R"("payment_method_id": "gift_card_1"})"
       "\nmodify_user_address "
       R"({"user_id": "ann_lee_1", )"
           + address);
  keep("tool_arguments", "looking",
       R"(find_user_id_by_email {"email": "ann.lee@example.com"})"
       "\nfind_user_id_by_name_zip "
       R"({"first_name": "ann", "last_name": "lee", "zip": "90001"})"
       "\nget_item_details {\"item_id\": \"13\"}"
       "\nget_order_details {\"order_id\": [[]]}"
       "\nget_product_details {\"product_id\": null}"
       "\nget_user_details {\"user_id\": 1e5}"
       "\nlist_all_product_types {}"
       "\ntransfer_to_human_agents {\"summary\": true}"
       "\ncalculate {\"expression\": \"1.5 * (2 - 7) // 3\"}");
  keep("tool_arguments", "expressions",
       "-2**-3**2/7//.5\n(10**400-1)/3**800\n((1.))*00+012.5\n0/-6\n"
       "2**16383//2**16382\n-(-8)**.5\n1/(2.0**1023*2)");
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_corpus DIRECTORY\n");
    return 2;
  }
  root = argv[1];
  frames(std::make_index_sequence<std::variant_size_v<wire::message>>{});
  structs();
  results();
  sessions();
  keys();
  role_replies();
  model();
  tool_calls();
}
