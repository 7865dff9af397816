#pragma once
/// The only file that depends on the CAF version: 0.17.6 (Debian 12) today,
/// 0.18 and 1.x through the branches below. All other code declares actors like
/// this:
///
///   using store_actor =
///       interface<caf::result<void>(atom::append, event_batch)>;
///
///   store_actor::behavior_type
///   store(store_actor::stateful_pointer<state> self) {
///     return {[self](atom::append, const event_batch& batch)
///               -> caf::result<void> { ... state_of(self) ... }};
///   }
///   tell(self, dest, atom::tick_v);                  // no answer expected
///   tell_after(self, self, 2s, atom::tick_v, epoch); // cannot be cancelled
///   ask(self, dest, 5s, atom::run_v, job).then(on_value, on_error);
///
/// The atoms and the ids of message types are in messages/caf/types.hpp.

#include "base/alternatives.hpp"
#include "base/fields.hpp"
#include "base/ids.hpp"
#include "base/shared_list.hpp"
#include "base/shared_value.hpp"

#include <caf/all.hpp>

#include <chrono>
#include <concepts>
#include <functional>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

// Uses only its parts, because CAF_VERSION is an octal literal in some 1.x
// releases.
#define BREWERY_CAF_0_17 (CAF_MAJOR_VERSION == 0 && CAF_MINOR_VERSION < 18)
#define BREWERY_CAF_0 (CAF_MAJOR_VERSION == 0)

namespace brewery {

// -- inspection: CAF sees a described struct through its field list ----------

namespace detail {

template <class T>
concept caf_struct = requires {
  { std::remove_const_t<T>::type_name } -> std::convertible_to<const char*>;
};

} // namespace detail

/// `auto`, because 0.17 returns an error object and later versions a bool.
template <class Inspector, detail::caf_struct T>
auto inspect(Inspector& f, T& object) {
  return std::remove_const_t<T>::each(object, [&](auto... fields) {
#if BREWERY_CAF_0_17
    return f(caf::meta::type_name(T::type_name), fields.value...);
#else
    return f.object(object).fields(f.field(fields.name, fields.value)...);
#endif
  });
}

/// A strong id is serialised as its value.
template <class Inspector, class Id>
requires is_strong_id<std::remove_const_t<Id>>
auto inspect(Inspector& f, Id& id) {
#if BREWERY_CAF_0_17
  return f(caf::meta::type_name("id"), id.value);
#else
  return f.object(id).fields(f.field("value", id.value));
#endif
}

namespace detail {

#if BREWERY_CAF_0_17
template <class Inspector>
inline constexpr bool saves = Inspector::reads_state;
#else
template <class Inspector>
inline constexpr bool saves = !Inspector::is_loading;
#endif

} // namespace detail

namespace detail {

/// Inspects a copy, for types that CAF does not know. A copy is made only when
/// a message is printed or leaves the process.
template <class Inspector, class Copy>
auto inspect_copy(Inspector& f, Copy& copy) {
#if BREWERY_CAF_0_17
  return f(copy);
#else
  return f.apply(copy);
#endif
}

} // namespace detail

template <class Inspector, class List>
requires is_shared_list<std::remove_const_t<List>>
auto inspect(Inspector& f, List& list) {
  auto items = list.items();
  if constexpr (detail::saves<Inspector>) {
    return detail::inspect_copy(f, items);
  } else {
    auto outcome = detail::inspect_copy(f, items);
    list = std::move(items);
    return outcome;
  }
}

template <class Inspector, class Value>
requires is_shared_value<std::remove_const_t<Value>>
auto inspect(Inspector& f, Value& shared) {
  auto value = shared.get();
  if constexpr (detail::saves<Inspector>) {
    return detail::inspect_copy(f, value);
  } else {
    auto outcome = detail::inspect_copy(f, value);
    shared = std::move(value);
    return outcome;
  }
}

/// An alternative of a variant is serialised as a list of at most one.
template <class Inspector, class T, class Variant>
auto inspect(Inspector& f, alternative<T, Variant>& one) {
  std::vector<T> list;
  if constexpr (detail::saves<Inspector>) {
    if (const auto* chosen = one.get()) list.push_back(*chosen);
    return detail::inspect_copy(f, list);
  } else {
    auto outcome = detail::inspect_copy(f, list);
    if (!list.empty()) one.emplace() = std::move(list.front());
    return outcome;
  }
}

// -- typed interfaces --------------------------------------------------------

namespace detail {

#if BREWERY_CAF_0_17
template <class Signature>
struct handler;
template <class... Results, class... Args>
struct handler<caf::result<Results...>(Args...)> {
  using type = typename caf::replies_to<Args...>::template with<Results...>;
};
template <class... Args>
struct handler<caf::result<void>(Args...)> {
  using type = caf::reacts_to<Args...>;
};
#else
template <class Signature>
struct handler {
  using type = Signature;
};
#endif

} // namespace detail

/// `interface<caf::result<R>(Args...), ...>`: Args by value, without const&.
template <class... Signatures>
using interface =
    caf::typed_actor<typename detail::handler<Signatures>::type...>;

/// The state of a stateful actor, from its self pointer.
template <class Self>
auto& state_of(Self self) {
#if BREWERY_CAF_0
  return self->state;
#else
  return self->state();
#endif
}

// -- sending ----------------------------------------------------------------
// `self` is a self pointer or a scoped_actor. A typed actor sends to itself
// through its handle, `tell(self, my_actor{self}, ...)`. It must be able to
// receive the answer, so the handler of its own ticks returns
// caf::result<void>.

template <class Self, class Dest, class... Args>
void tell(Self&& self, const Dest& dest, Args&&... args) {
#if BREWERY_CAF_0
  self->send(dest, std::forward<Args>(args)...);
#else
  self->mail(std::forward<Args>(args)...).send(dest);
#endif
}

/// A delayed message cannot be cancelled. Give it an epoch number and ignore
/// old ones.
template <class Self, class Dest, class Rep, class Period, class... Args>
void tell_after(Self&& self, const Dest& dest,
                std::chrono::duration<Rep, Period> delay, Args&&... args) {
#if BREWERY_CAF_0
  self->delayed_send(dest, delay, std::forward<Args>(args)...);
#else
  self->mail(std::forward<Args>(args)...).delay(delay).send(dest);
#endif
}

/// Continue with `.then(on_value, on_error)` in an actor (`.receive` in a
/// scoped_actor). Always give both handlers and a finite timeout. In 0.17 a
/// promise that is dropped without an answer shows up only as that timeout.
template <class Self, class Dest, class Timeout, class... Args>
auto ask(Self&& self, const Dest& dest, Timeout timeout, Args&&... args) {
#if BREWERY_CAF_0
  return self->request(dest, timeout, std::forward<Args>(args)...);
#else
  return self->mail(std::forward<Args>(args)...).request(dest, timeout);
#endif
}

// -- monitors ----------------------------------------------------------------

/// Calls back once when a monitored actor ends, with the reason. It is part of
/// the monitoring actor's state and must not outlive it. One per actor, because
/// 0.17 has a single down handler. Monitoring an actor again replaces its
/// callback. Monitoring keeps neither actor alive: hold a handle of both.
class watch_list {
public:
  using callback = std::function<void(const caf::error&)>;

  template <class Self, class Handle>
  void watch(Self self, const Handle& handle, callback on_down) {
#if BREWERY_CAF_0
    if (!callbacks_.insert_or_assign(handle->id(), std::move(on_down)).second)
      return;
    self->set_down_handler([this](caf::down_msg& down) {
      auto found = callbacks_.extract(down.source.id());
      if (!found.empty()) found.mapped()(down.reason);
    });
    self->monitor(handle);
#else
    self->monitor(handle, std::move(on_down));
#endif
  }

private:
  std::map<caf::actor_id, callback> callbacks_;
};

} // namespace brewery

// -- macros for messages/caf/types.hpp ---------------------------------------

/// Inside the type-id block: declares type `brewery::atom::name` and value
/// `brewery::atom::name_v`. At most ten characters of [a-zA-Z0-9_].
#if BREWERY_CAF_0_17
#define BREWERY_ADD_ATOM(name) CAF_ADD_ATOM(brewery, brewery::atom, name, #name)
#else
#define BREWERY_ADD_ATOM(name) CAF_ADD_ATOM(brewery, brewery::atom, name)
#endif

/// Makes an enum usable as error code of caf::error.
#if BREWERY_CAF_0_17
#define BREWERY_ERROR_ENUM(type, category) CAF_ERROR_CODE_ENUM(type, category)
#else
#define BREWERY_ERROR_ENUM(type, category) CAF_ERROR_CODE_ENUM(type)
#endif
