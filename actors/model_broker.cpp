#include "actors/model_broker.hpp"

#include "actors/recorded_difference.hpp"
#include "llm/accounts/call_bound.hpp"
#include "llm/accounts/call_key.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

using steady = std::chrono::steady_clock;

token_usage usage_of(const model_answer& answer) {
  return std::visit([](const auto& reply) { return reply.usage; },
                    answer.reply);
}

spending spent_on(const token_usage& usage, const token_price& price) {
  return {1, usage.prompt + usage.completion, cost_of(usage, price)};
}

error let_go() {
  return {ec::cancelled, "the run ends"};
}

/// A server that repeats itself for a seed must not repeat a reply that could
/// not be used.
void reseed(model_call& call, std::uint32_t dropped) {
  auto* chat = std::get_if<chat_request>(&call.request);
  if (!chat || !chat->seed || dropped == 0) return;
  constexpr std::uint64_t odd = 0x9e3779b1, seed_mask = 0x7fffffff;
  chat->seed = (*chat->seed + odd * dropped) & seed_mask;
}

} // namespace

struct model_broker::request {
  model_call call;
  std::string alias; ///< the model's name in the catalog
  token_price price;
  request_print print;
  std::string key;
  std::uint64_t ticket = 0;
  spending reserved;
  steady::time_point began = steady::now();
  std::chrono::milliseconds asked{0}; ///< in attempts
  std::uint32_t unpaid = 0; ///< how often the budget had no second attempt
  std::vector<answer_handler> waiters; ///< guarded by the broker's mutex

  /// Its place and model.
  [[nodiscard]] model_record record() const;
  void time(model_record& record) const;
};

std::shared_ptr<model_broker> model_broker::make(model_broker_inputs inputs) {
  return std::shared_ptr<model_broker>{new model_broker{std::move(inputs)}};
}

model_broker::model_broker(model_broker_inputs inputs)
    : in_(std::move(inputs)) {
  if (!in_.recording) return;
  const auto& index = in_.recording->index();
  known_ = index.replies;
  for (const auto& [key, sum] : index.spend.lines)
    in_.limits.carry_over(
        key.first,
        {sum.calls + sum.lost, sum.tokens_at_most(), sum.cost_at_most()});
}

void model_broker::ask(model_call call, answer_handler done) {
  if (!call.verdict.empty()) return take_verdict(call, std::move(done));
  auto wanted = std::make_shared<request>();
  wanted->alias = model_of(call);
  const auto terms = in_.models.find(wanted->alias);
  if (terms == in_.models.end())
    return done(
        error{ec::not_found, fmt::format("the {} asks for model '{}', which no "
                                         "catalog has",
                                         call.role, wanted->alias)});
  wanted->price = terms->second.price;
  wanted->reserved =
      spending_at_most(call, terms->second.price, terms->second.reply_tokens);
  wanted->call = std::move(call);
  model_of(wanted->call) = terms->second.name;
  wanted->print = print_of(wanted->call);
  wanted->key = key_of(wanted->call, wanted->print);
  wanted->waiters.push_back(std::move(done));
  std::uint64_t event = 0;
  {
    std::unique_lock lock{mutex_};
    if (closed_) {
      lock.unlock();
      return wanted->waiters.front()(let_go());
    }
    const call_place place{wanted->call.job, wanted->call.number};
    asked_.insert_or_assign(place, wanted->key);
    const auto [running, fresh] = under_way_.try_emplace(wanted->key, wanted);
    if (!fresh) {
      ++counts_.from_record;
      running->second->waiters.push_back(std::move(wanted->waiters.front()));
      return;
    }
    event = known_.find(wanted->key, place, reply_limit(wanted->call));
    if (event > 0) ++counts_.from_record;
  }
  if (event > 0)
    recall(event, wanted->key);
  else if (in_.replay)
    replay(wanted);
  else
    admit(wanted);
}

void model_broker::recall(std::uint64_t event, const std::string& key) {
  in_.recording->read(
      event, [self = shared_from_this(), key](result<model_record> record) {
        if (!record) return self->finish(key, record.error());
        self->finish(key, *std::move(record->answer));
      });
}

void model_broker::replay(const std::shared_ptr<request>& wanted) {
  const auto& index = in_.replay->index();
  const call_place here{wanted->call.job, wanted->call.number};
  const auto self = shared_from_this();
  if (const auto event =
          index.replies.find(wanted->key, here, reply_limit(wanted->call));
      event > 0) {
    in_.replay->read(event, [self, wanted](result<model_record> got) {
      if (!got) return self->finish(wanted->key, got.error());
      {
        const std::lock_guard lock{self->mutex_};
        ++self->counts_.from_record;
      }
      self->keep(wanted, *std::move(got->answer), {}, 0);
    });
    return;
  }
  {
    std::unique_lock lock{mutex_};
    if (halted_) {
      lock.unlock();
      return finish(wanted->key, let_go());
    }
  }
  in_.replay->with_log([self, wanted](const event_log& log) {
    self->halt(wanted, {ec::not_found,
                        recorded_difference(log, self->in_.replay->index(),
                                            wanted->call, wanted->print,
                                            self->place_text(wanted->call))});
  });
}

/// "call 2 of the agent in the rollout of task t3 (job 5f..)".
std::string model_broker::place_text(const model_call& call) const {
  std::string work;
  {
    const std::lock_guard lock{mutex_};
    if (names_) work = names_->of(call.job);
  }
  const auto where = work.empty()
                         ? fmt::format("job {}", call.job.value)
                         : fmt::format("the {} (job {})", work, call.job.value);
  return fmt::format("call {} of the {} in {}", call.number + 1, call.role,
                     where);
}

void model_broker::name_jobs(std::shared_ptr<const job_names> names) {
  const std::lock_guard lock{mutex_};
  names_ = std::move(names);
}

void model_broker::admit(const std::shared_ptr<request>& wanted) {
  std::optional<error> refused;
  {
    std::unique_lock lock{mutex_};
    if (closed_ || halted_) {
      lock.unlock();
      return finish(wanted->key, let_go());
    }
    const auto answer = in_.limits.reserve(wanted->call.role, wanted->reserved);
    if (answer.what == budget::verdict::wait) {
      waiting_.push_back(wanted);
      return;
    }
    if (answer.what == budget::verdict::refused)
      refused = error{ec::over_budget, answer.why};
    wanted->ticket = answer.ticket;
  }
  if (refused) return halt(wanted, *refused);
  send(wanted);
}

/// Notifies the run first, so that it stops before the job is given back.
void model_broker::halt(const std::shared_ptr<request>& wanted, error why) {
  tell_halt(std::move(why));
  finish(wanted->key, let_go());
  admit_waiting();
}

void model_broker::stop(error why) {
  tell_halt(std::move(why));
  if (in_.transport) in_.transport->stop_retries(in_.owner);
  admit_waiting();
}

void model_broker::tell_halt(error why) {
  std::function<void()> on_halt;
  {
    const std::lock_guard lock{mutex_};
    if (!halted_) {
      halted_ = std::move(why);
      on_halt = std::exchange(on_halt_, nullptr);
    }
    if (!on_halt) return;
    teller_ = std::this_thread::get_id();
  }
  on_halt();
  {
    const std::lock_guard lock{mutex_};
    teller_ = {};
  }
  idle_.notify_all();
}

void model_broker::when_halted(std::function<void()> on_halt) {
  {
    std::unique_lock lock{mutex_};
    // The one before may use what its owner is about to destroy.
    idle_.wait(lock, [this] {
      return teller_ == std::thread::id{}
             || teller_ == std::this_thread::get_id();
    });
    if (!halted_) {
      on_halt_ = std::move(on_halt);
      return;
    }
  }
  if (on_halt) on_halt();
}

void model_broker::send(const std::shared_ptr<request>& wanted) {
  auto call = wanted->call;
  model_of(call) = wanted->alias;
  {
    const std::lock_guard lock{mutex_};
    ++counts_.sent;
    reseed(call, known_.dropped(wanted->key));
  }
  in_.transport->send(
      call, in_.owner,
      [self = shared_from_this(), wanted] {
        const std::lock_guard lock{self->mutex_};
        return !self->closed_ && !self->halted_
               && self->in_.limits.reserve_again(wanted->ticket);
      },
      [self = shared_from_this(), wanted](transport_outcome outcome) {
        self->sent(wanted, std::move(outcome));
      });
  bool ends = false; // it was admitted before
  {
    const std::lock_guard lock{mutex_};
    ends = ends_calls_;
  }
  if (ends) in_.transport->end_calls(in_.owner);
}

void model_broker::sent(const std::shared_ptr<request>& wanted,
                        transport_outcome outcome) {
  const auto& answer = outcome.answer;
  const bool refused = !answer && outcome.refused != token_usage{};
  // It is admitted anew: it waits, or ends the run. Not for ever: it may fail
  // by itself, and take what others can use.
  constexpr std::uint32_t most_unpaid = 2;
  const bool again = outcome.unpaid && ++wanted->unpaid <= most_unpaid;
  auto usage = answer ? usage_of(*answer) : outcome.refused;
  spending actual;
  if (answer || refused) actual = spent_on(usage, wanted->price);
  if (answer && actual.tokens == 0) { // not counted: it may have cost all of it
    actual = wanted->reserved;
    usage.prompt = actual.tokens;
    note_uncounted(*wanted);
  }
  const auto cost = actual.cost;
  for (std::uint32_t i = 0; i < outcome.lost_attempts; ++i)
    actual += wanted->reserved;
  {
    const std::lock_guard lock{mutex_};
    if (again)
      --counts_.sent;
    else if (!answer)
      ++counts_.failed;
    if (actual == spending{})
      in_.limits.release(wanted->ticket);
    else
      in_.limits.settle(wanted->ticket, actual, answer.has_value());
  }
  wanted->asked += outcome.asked;
  if (outcome.lost_attempts > 0)
    record_lost(*wanted, outcome.lost_attempts, !answer && !refused && !again);
  if (refused) record_refused(*wanted, usage, cost, !again);
  admit_waiting();
  if (again) return admit(wanted);
  if (answer) return keep(wanted, std::move(*outcome.answer), usage, cost);
  failed(wanted, outcome.fault, answer.error());
}

void model_broker::note_uncounted(const request& wanted) {
  {
    const std::lock_guard lock{mutex_};
    if (!uncounted_.insert(wanted.alias).second) return;
  }
  if (in_.on_uncounted) in_.on_uncounted(wanted.alias);
}

void model_broker::failed(const std::shared_ptr<request>& wanted,
                          call_fault fault, error why) {
  const auto closed = [this] {
    const std::lock_guard lock{mutex_};
    return closed_;
  }();
  // `close` ended it: neither the job nor the server is to blame.
  if (closed) return finish(wanted->key, let_go());
  if (fault == call_fault::unclear && stopped_often(*wanted)) {
    fault = call_fault::call;
    why.message += "; the run stopped at this call before, so its job is given "
                   "up";
  }
  if (fault == call_fault::call) return finish(wanted->key, why);
  if (fault == call_fault::unclear && !halted()) record_stop(*wanted);
  in_.transport->stop_retries(in_.owner);
  if (why.code != ec::unauthorized) why.code = ec::exhausted;
  halt(wanted, std::move(why));
}

bool model_broker::stopped_often(const request& wanted) const {
  constexpr std::uint32_t stops_until_given_up = 2;
  const std::lock_guard lock{mutex_};
  return known_.stops(wanted.key) >= stops_until_given_up;
}

/// So that a call that nobody can answer does not stop the run forever.
void model_broker::record_stop(const request& wanted) {
  if (!in_.recording) return;
  in_.recording->mark(stopped_event, wanted.call.job, wanted.key,
                      [](const result<std::uint64_t>&) {});
}

model_record model_broker::request::record() const {
  model_record out;
  out.key = key;
  out.job = call.job;
  out.number = call.number;
  out.role = call.role;
  out.model = alias;
  return out;
}

void model_broker::request::time(model_record& record) const {
  record.asked_ms = static_cast<std::uint64_t>(asked.count());
  record.duration_ms = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(steady::now()
                                                            - began)
          .count());
}

/// Records the loss, so that a resumed run knows what was spent. The time of a
/// call that got no answer stands with its first loss.
void model_broker::record_lost(const request& wanted, std::uint32_t attempts,
                               bool timed) {
  if (!in_.recording) return;
  auto record = wanted.record();
  record.usage.prompt = wanted.reserved.tokens;
  record.cost = wanted.reserved.cost;
  for (std::uint32_t i = 0; i < attempts; ++i) {
    auto one = record;
    if (timed && i == 0) wanted.time(one);
    in_.recording->append(std::move(one), {},
                          [](const result<std::uint64_t>&) {});
  }
}

/// With its print, which tells it from a loss: its counts are the server's.
void model_broker::record_refused(const request& wanted,
                                  const token_usage& usage, picodollars cost,
                                  bool timed) {
  if (!in_.recording) return;
  auto record = wanted.record();
  record.print = wanted.print;
  record.usage = usage;
  record.cost = cost;
  if (timed) wanted.time(record);
  in_.recording->append(std::move(record), {},
                        [](const result<std::uint64_t>&) {});
}

void model_broker::keep(const std::shared_ptr<request>& wanted,
                        model_answer answer, const token_usage& usage,
                        picodollars cost) {
  if (!in_.recording) return finish(wanted->key, answer);
  auto record = wanted->record();
  record.print = wanted->print;
  record.answer = answer;
  record.usage = usage;
  record.cost = cost;
  wanted->time(record);
  in_.recording->append(record, parts_of(wanted->call, wanted->print),
                        [self = shared_from_this(), wanted, key = wanted->key,
                         answer, kept = record](result<std::uint64_t> event) {
                          if (!event) return self->lose(wanted, event.error());
                          {
                            const std::lock_guard lock{self->mutex_};
                            self->known_.add(kept, *event);
                          }
                          self->finish(key, answer);
                        });
}

/// A reply that is not on record would be paid again. A full disk is no fault
/// of the job, which would be given up: the run stops, and can go on.
void model_broker::lose(const std::shared_ptr<request>& wanted, error why) {
  if (!is_disk_trouble(why)) return finish(wanted->key, why);
  if (in_.transport) in_.transport->stop_retries(in_.owner);
  why.code = ec::exhausted;
  halt(wanted, std::move(why));
}

void model_broker::finish(const std::string& key,
                          const result<model_answer>& answer) {
  std::vector<answer_handler> waiters;
  {
    const std::lock_guard lock{mutex_};
    const auto found = under_way_.find(key);
    BREWERY_ASSERT(found != under_way_.end());
    waiters = std::move(found->second->waiters);
    under_way_.erase(found);
  }
  idle_.notify_all();
  for (const auto& waiter : waiters)
    waiter(answer);
}

void model_broker::wait_for_space(std::function<void(const error&)> on_full) {
  if (in_.recording) in_.recording->wait_for_space(std::move(on_full));
}

void model_broker::refuse_calls() {
  {
    const std::lock_guard lock{mutex_};
    closed_ = true;
    on_halt_ = nullptr;
  }
  if (in_.transport) in_.transport->stop_retries(in_.owner);
  admit_waiting();
}

void model_broker::end_calls(std::chrono::steady_clock::time_point until) {
  {
    std::unique_lock lock{mutex_};
    if (idle_.wait_until(lock, until, [&] { return under_way_.empty(); }))
      return;
    ends_calls_ = true;
  }
  if (in_.transport) in_.transport->end_calls(in_.owner);
}

void model_broker::close() {
  refuse_calls();
  if (in_.recording) in_.recording->wait_for_space(nullptr);
  std::unique_lock lock{mutex_};
  idle_.wait(lock, [&] { return under_way_.empty(); });
  lock.unlock();
  // After this, another process may open the recording and resume the run.
  if (in_.recording) in_.recording->settle();
}

void model_broker::admit_waiting() {
  std::vector<std::shared_ptr<request>> again;
  {
    const std::lock_guard lock{mutex_};
    again.swap(waiting_);
  }
  for (const auto& wanted : again)
    admit(wanted);
}

namespace {

/// The interval at which a waiting job checks whether it was cancelled.
constexpr std::chrono::milliseconds poll_interval{50};

struct pending {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<result<model_answer>> answer;
};

} // namespace

result<model_answer> model_broker::ask(const model_call& call,
                                       const model_caller& by) {
  const auto shared = std::make_shared<pending>();
  ask(call, [shared](result<model_answer> answer) {
    {
      const std::lock_guard lock{shared->mutex};
      shared->answer = std::move(answer);
    }
    shared->changed.notify_one();
  });
  std::unique_lock lock{shared->mutex};
  while (!shared->changed.wait_for(lock, poll_interval,
                                   [&] { return shared->answer.has_value(); }))
    if (by.cancelled && *by.cancelled) return error{ec::cancelled, "cancelled"};
  return std::move(*shared->answer);
}

model_broker_view model_broker::view() const {
  const std::lock_guard lock{mutex_};
  auto out = counts_;
  out.spent = in_.limits.spent();
  out.reserved = in_.limits.reserved();
  out.limit = in_.limits.limit();
  out.under_way = under_way_.size();
  out.waiting = waiting_.size();
  return out;
}

model_spend model_broker::spend() const {
  return in_.recording ? in_.recording->spend() : model_spend{};
}

std::optional<error> model_broker::halted() const {
  const std::lock_guard lock{mutex_};
  return halted_;
}

} // namespace brewery
