#pragma once
/// Sends orders to a coordinator and waits for the answers.

#include "cli/operator/connection.hpp"
#include "messages/cluster_msgs.hpp"

#include <nlohmann/json.hpp>

#include <functional>

namespace brewery {

using order_words = std::map<std::string, std::string>;

/// One connection for orders, one after the other.
class operator_client {
public:
  static result<operator_client> open(const connection_arguments& where);

  /// How often an order is sent.
  enum class sending {
    once,   ///< it might be carried out twice
    repeat, ///< it changes nothing: until it is answered, also by another
            ///< process in the coordinator's place
    named,  ///< repeated too: it changes something, but bears a name by which
            ///< a coordinator knows what it has carried out
  };
  /// Error ec::timeout if no coordinator answers within `where.patience_s`; it
  /// says so if the order may be carried out all the same. If the coordinator
  /// refuses the order: its error, or ec::io if it says no code.
  result<operator_reply> ask(const std::string& verb, order_words words,
                             sending how = sending::once);
  result<nlohmann::ordered_json> ask_json(const std::string& verb,
                                          order_words words,
                                          sending how = sending::once);
  /// Error ec::cancelled of orders that are not answered at once when `stopped`
  /// holds: for commands that handle Ctrl-C. Who orders then still learns what
  /// a coordinator says that is there.
  void stop_when(std::function<bool()> stopped) {
    stopped_ = std::move(stopped);
  }

private:
  operator_client(connection_arguments where, std::unique_ptr<dealer> wire)
      : where_(std::move(where)), wire_(std::move(wire)) {}
  std::optional<result<operator_reply>> arrived();
  [[nodiscard]] error not_answered(bool was_sent,
                                   const std::string& may_change) const;

  connection_arguments where_;
  std::unique_ptr<dealer> wire_;
  std::uint64_t number_ = 0;
  std::function<bool()> stopped_; ///< may be empty
};

/// One order on a connection of its own.
result<nlohmann::ordered_json>
ask_coordinator(const connection_arguments& where, const std::string& verb,
                order_words words,
                operator_client::sending how = operator_client::sending::once,
                std::function<bool()> stopped = {});

} // namespace brewery
