#pragma once
/// What the threads of CAF's scheduler do first. They run all actors that have
/// no thread of their own.

#include <caf/all.hpp>

#include <functional>
#include <string_view>
#include <utility>
#if __has_include(<caf/thread_owner.hpp>)
#include <caf/thread_owner.hpp>
#define BREWERY_CAF_TELLS_THREADS 1
#else
#include <pthread.h>
#define BREWERY_CAF_TELLS_THREADS 0
#endif

namespace brewery {

class scheduler_threads : public caf::thread_hook {
public:
  explicit scheduler_threads(std::function<void()> first)
      : first_(std::move(first)) {}

  void init(caf::actor_system&) override {}
#if BREWERY_CAF_TELLS_THREADS
  void thread_started(caf::thread_owner owner) override {
    if (owner == caf::thread_owner::scheduler) first_();
  }
#else
  // CAF 0.17 has named the thread by then.
  void thread_started() override {
    char name[16] = {};
    ::pthread_getname_np(::pthread_self(), name, sizeof name);
    if (std::string_view{name} == "caf.multiplexer") first_();
  }
#endif
  void thread_terminates() override {}

private:
  std::function<void()> first_;
};

} // namespace brewery
