#pragma once
/// Both ends of a session, driven by bytes. A record is
///
///   1 byte   time that passes before it: its square in ms; if odd, what the
///            worker then says is lost
///   2 bytes  size of a frame, low byte first
///   frame    read by the worker and by the coordinator's link, whichever
///            of them it is meant for
///
/// and with size 0 something happens at the worker instead: `event`. What the
/// worker is told to run, stop and spool is followed as its owner would, and
/// what worker and owner count must agree after every record.

#include "cluster/job_spec.hpp"
#include "cluster/worker_link.hpp"
#include "cluster/worker_session.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace brewery::fuzz {

/// What happens at the worker by itself: the record's time byte, halved, modulo
/// the number of these.
enum class event : unsigned {
  job_ends = 0,
  job_fails,
  job_goes_on,
  wants_blob,
  unsent,
  drains,
  hands_back,
};
inline constexpr unsigned event_count = 7;

class session_run {
public:
  /// "" or what is wrong.
  std::string play(std::string_view bytes) {
    // What both hold grows with the records and each heartbeat names it all:
    // more of them would only be slower.
    constexpr int max_records = 512;
    follow(worker_.begin(now_));
    for (int i = 0; i < max_records && bytes.size() >= 3 && !over(); ++i) {
      const auto byte = [&](std::size_t at) {
        return static_cast<unsigned>(static_cast<unsigned char>(bytes[at]));
      };
      const auto pause = byte(0);
      const std::size_t size = byte(1) | byte(2) << 8u;
      const auto frame = bytes.substr(3, size);
      bytes.remove_prefix(3 + frame.size());
      now_ += std::chrono::milliseconds{pause * pause};
      connected_ = pause % 2 == 0;
      if (size == 0)
        happen(static_cast<event>(pause / 2 % event_count));
      else if (const auto message = wire::unframe(frame))
        hear(*message, frame);
      pass_time();
      if (!over()) check();
    }
    return wrong_;
  }

private:
  using job_key = std::pair<run_id, job_id>;
  static job_key job_of(const lease_key& key) { return {key.run, key.job}; }

  [[nodiscard]] bool over() const { return left_ || !wrong_.empty(); }
  void expect(bool holds, const char* otherwise) {
    if (!holds && wrong_.empty()) wrong_ = otherwise;
  }

  void hear(const wire::message& message, std::string_view frame) {
    follow(worker_.on(message, now_));
    std::visit([&](const auto& one) { link_hears(one, frame); }, message);
  }

  // The coordinator's end, as the proxy of a worker uses it.

  void link_hears(const worker_heartbeat& beat, std::string_view) {
    const auto heard = link_.on(beat, now_);
    for (const auto* ended : {&heard.returned, &heard.ignored})
      for (const auto& key : *ended)
        expect(!link_.has(key), "a lost lease is still in the link");
    if (!heard.reply) return;
    for (const auto& key : heard.reply->cancelled)
      expect(!link_.has(key), "a lease is cancelled that there is");
    if (connected_) follow(worker_.on(*heard.reply, now_));
  }
  void link_hears(const lease_grant& grant, std::string_view frame) {
    ++granted_;
    link_.offer(grant.key, std::make_shared<const std::string>(frame), now_);
    expect(link_.has(grant.key), "an offered lease is not in the link");
  }
  void link_hears(const lease_cancel& cancel, std::string_view) {
    link_.end(cancel.key);
    expect(!link_.has(cancel.key), "an ended lease is still in the link");
  }
  void link_hears(const worker_welcome& welcome, std::string_view) {
    for (const auto& key : welcome.adopted)
      link_.adopted(key, key.attempt % 2 == 0, now_);
  }
  void link_hears(const result_report& report, std::string_view) {
    link_.heard(now_);
    const bool known = link_.has(report.key);
    (void)link_.delivered(report.key);
    expect(link_.delivered(report.key) != known, "a result counts twice");
  }
  void link_hears(const worker_hello& hello, std::string_view) {
    const auto spec = spec_of(hello);
    expect(spec.slots == hello.slots, "slots are lost");
    if (refusal_of(hello).empty())
      expect(hello.slots > 0 && common_protocol(hello) >= protocol_oldest,
             "a worker is taken that cannot be served");
  }
  void link_hears(const worker_goodbye& goodbye, std::string_view) {
    for (const auto& key : goodbye.handed_back)
      link_.end(key);
    link_.disconnected(now_);
  }
  template <class Other>
  void link_hears(const Other&, std::string_view) {}

  // The worker's owner.

  void follow(const worker_step& step) {
    for (const auto& item : step.to_spool)
      spool_.insert(job_of(item.key));
    for (const auto& key : step.unspool)
      spool_.erase(job_of(key));
    for (const auto& key : step.stop)
      expect(runs_.erase(job_of(key)) == 1, "a job is stopped that never ran");
    for (const auto& grant : step.start)
      expect(runs_.insert(job_of(grant.key)).second, "a job is started twice");
    expect(!left_ || step.send.empty(), "it speaks after it left");
    left_ = left_ || step.leave.has_value();
    for (const auto& message : step.send)
      say(message);
  }

  void say(const wire::message& message) {
    const auto bytes = wire::frame(message);
    const auto heard = wire::unframe(bytes);
    if (!heard || *heard != message)
      return expect(false, "what it says is not what is heard");
    expect(std::holds_alternative<worker_hello>(message)
               || wire::session_of(message) != 0,
           "it speaks as of a session without one");
    if (connected_)
      std::visit([&](const auto& one) { link_hears(one, bytes); }, *heard);
  }

  void happen(event what) {
    const auto job = runs_.empty() ? job_key{} : *runs_.begin();
    switch (what) {
    case event::job_ends:
    case event::job_fails:
      runs_.erase(job);
      return follow(worker_.finished(job.first, job.second,
                                     what == event::job_ends ? "result" : "",
                                     what == event::job_ends ? "" : "it broke",
                                     now_, microseconds{++steps_}));
    case event::job_goes_on:
      return worker_.progress(job.first, job.second, ++steps_);
    case event::wants_blob:
      return follow(worker_.fetch({"blob", "blob"}, now_));
    case event::unsent:
      return worker_.unsent(now_);
    case event::drains:
      return follow(worker_.drain("asked to", now_));
    case event::hands_back:
      return follow(worker_.hand_back("stopped", now_));
    }
  }

  void pass_time() {
    follow(worker_.tick(now_));
    for (const auto& frame : link_.tick(now_))
      expect(frame && !frame->empty(), "nothing is sent again");
    (void)link_.check(now_);
  }

  void check() {
    expect(worker_.running() == runs_.size(), "it lost count of what runs");
    expect(spool_.size() <= worker_.unacknowledged(),
           "a result in the spool is forgotten");
    expect(worker_.running() + worker_.unacknowledged() <= granted_ + spooled,
           "it holds more than it was ever given");
    expect(worker_.tick_every() > microseconds{0},
           "it wants to tick without pause");
    expect(worker_.tick_every() < std::chrono::hours{24 * 365},
           "it never ticks again");
  }

  static constexpr std::size_t spooled = 1;
  static worker_profile profile() {
    return {"w", "i", "h", "0", 2, {job_kind::rollout}, {{"toy", "f"}}};
  }
  static lease_key old_key() { return {{"s"}, {"old"}, 1, 1}; }

  microseconds now_{0};
  cluster_options options_;
  worker_session worker_{profile(), options_, {{old_key(), "result", ""}}};
  worker_link link_{options_, 7, now_};
  std::set<job_key> runs_, spool_{job_of(old_key())};
  std::size_t granted_ = 0;
  std::uint64_t steps_ = 0;
  bool connected_ = true;
  bool left_ = false;
  std::string wrong_;
};

} // namespace brewery::fuzz
