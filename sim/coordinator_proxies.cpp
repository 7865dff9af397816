/// The part of a simulated coordinator that carries out the steps of proxies.

#include "cluster/job_spec.hpp"
#include "sim/coordinator_node.hpp"
#include "sim/simulated_work.hpp"

namespace brewery::simulated {

void coordinator_node::join(address proxy) {
  const auto& core = proxies_.at(proxy).core;
  mail_.post(
      proxy, pool_address,
      [=, this, hello = core.hello(), session = core.session()] {
        auto joined =
            pool_.join(spec_of(hello), session, hello.jobs, port_.now());
        carry_out(std::move(joined.step));
        if (!joined.answer)
          return mail_.post(pool_address, proxy, [=, this] { end(proxy); });
        const auto worker = joined.answer->worker;
        members_[worker] = proxy;
        to_proxy(pool_address, proxy,
                 [=, this, answer = *joined.answer](worker_proxy& mine) {
                   return mine.joined(answer, port_.now());
                 });
        to_pool(pool_address, [this] { return pool_.assign(port_.now()); });
        if (!proxies_.contains(proxy)) // it ended while joining
          to_pool(proxy, [=, this] { return pool_.lost(worker, port_.now()); });
      });
}

/// Ends the proxy, as the pool and the gateway see it.
void coordinator_node::end(address proxy) {
  const auto it = proxies_.find(proxy);
  if (it == proxies_.end()) return;
  if (const auto worker = it->second.core.worker(); worker.value != 0)
    to_pool(proxy, [=, this] { return pool_.lost(worker, port_.now()); });
  if (const auto line = lines_.find(it->second.node);
      line != lines_.end() && line->second == proxy)
    lines_.erase(line);
  proxies_.erase(it);
}

void coordinator_node::check(address proxy) {
  const auto it = proxies_.find(proxy);
  if (it == proxies_.end()) return;
  carry_out(proxy, it->second.core.check(port_.now()));
}

void coordinator_node::beat(address proxy) {
  if (!proxies_.contains(proxy)) return;
  check(proxy);
  port_.after(options_.heartbeat, [=, this] { beat(proxy); });
}

void coordinator_node::to_proxy(address from, address proxy,
                                std::function<proxy_step(worker_proxy&)> what) {
  mail_.post(from, proxy, [=, this] {
    if (const auto it = proxies_.find(proxy); it != proxies_.end())
      carry_out(proxy, what(it->second.core));
  });
}

void coordinator_node::carry_out(address proxy, proxy_step step) {
  auto& who = proxies_.at(proxy);
  for (const auto& message : step.send)
    send(who, message);
  for (const auto& frame : step.frames)
    port_.send(who.node, *wire::unframe(*frame));
  for (auto& report : step.reports) {
    if (const auto* result = std::get_if<lease_result>(&report);
        result && !result->error.empty())
      who.failed.insert(result->key.attempt);
    to_pool(proxy, [=, this, worker = who.core.worker()] {
      return pool_.report(worker, report, port_.now());
    });
  }
  for (const auto& hash : step.contents)
    port_.send(who.node, blob_content{hash, true, "set-up"});
  for (const auto& asked : step.models)
    ask_models(proxy, who, asked);
  for (auto& asked : step.grades)
    ask_grader(proxy, who, std::move(asked));
  if (step.ended) end(proxy);
}

void coordinator_node::send(peer& who, const wire::message& message) {
  if (const auto* ack = std::get_if<result_ack>(&message);
      ack && ack->verdict == result_verdict::counted && !in_log(ack->key.job)
      && !who.failed.contains(ack->key.attempt))
    port_.violated("a result was acknowledged before it was in the log");
  if (const auto* reply = std::get_if<model_reply>(&message))
    who.open.erase({reply->run, reply->job, reply->number});
  if (const auto* reply = std::get_if<grade_reply>(&message))
    who.open.erase({reply->run, reply->job, grade_number});
  port_.send(who.node, message);
}

void coordinator_node::ask_models(address proxy, peer& who,
                                  const model_question& asked) {
  if (!who.open.insert(asked.place).second)
    port_.violated("a question was passed on twice");
  models_.ask(asked.call,
              [=, this, place = asked.place](result<model_answer> answer) {
                to_proxy(models_address, proxy, [=](worker_proxy& core) {
                  return core.answered(place, answer);
                });
              });
}

void coordinator_node::ask_grader(address proxy, peer& who,
                                  grade_question asked) {
  const auto place = asked.place;
  if (!who.open.insert(place).second)
    port_.violated("a grade was asked for twice");
  submit(proxy, job_of(std::move(asked), simulated_goldens),
         {proxy, [=, this](const result<job_result>& answer) {
            if (const auto it = proxies_.find(proxy); it != proxies_.end())
              carry_out(proxy, it->second.core.graded(place, answer));
          }});
}

} // namespace brewery::simulated
