#include "messages/caf/types.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

#if BREWERY_CAF_0_17

bool is_ours(const caf::error& err) {
  return err.category() == caf::atom("brewery");
}

bool is_exit(const caf::error& err) {
  return err.category() == caf::atom("exit");
}

#else

bool is_ours(const caf::error& err) {
  return err.category() == caf::type_id_v<ec>;
}

bool is_exit(const caf::error& err) {
  return err.category() == caf::type_id_v<caf::exit_reason>;
}

#endif

std::string text_of(const caf::message& context) {
  return context.match_elements<std::string>() ? context.get_as<std::string>(0)
                                               : std::string{};
}

} // namespace

error from_caf(const caf::error& err) {
  if (!err) return {ec::ok, {}};
  if (is_ours(err))
    return {static_cast<ec>(err.code()), text_of(err.context())};
  if (err == caf::sec::request_timeout)
    return {ec::timeout, "an actor did not answer in the time allowed"};
  if (err == caf::sec::request_receiver_down)
    return {ec::internal, "an actor ended before it answered"};
  if (is_exit(err))
    return {ec::cancelled,
            fmt::format("an actor was told to stop: {}", to_string(err))};
  return {ec::internal, fmt::format("actor system: {}", to_string(err))};
}

void register_types(caf::actor_system_config& config) {
#if BREWERY_CAF_0_17
  config.add_message_types<caf::id_block::brewery>();
  config.add_error_category(
      caf::atom("brewery"),
      [](std::uint8_t code, caf::atom_value, const caf::message& context) {
        return to_string(error{static_cast<ec>(code), text_of(context)});
      });
#else
  (void)config;
  caf::init_global_meta_objects<caf::id_block::brewery>();
#endif
}

} // namespace brewery
