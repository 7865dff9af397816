#pragma once
/// `brewery cluster status` and `down`.

#include "cli/operator/connection.hpp"

namespace brewery {

struct cluster_status_arguments {
  connection_arguments connection;
  std::string name; ///< for `status`, empty: all arrays
  bool json = false;
};

/// Return exit codes. A coordinator that gives no answer is reported; what the
/// engines say is shown all the same.
int cluster_status_command(const cluster_status_arguments& arguments);
int cluster_down_command(const cluster_status_arguments& arguments);

} // namespace brewery
