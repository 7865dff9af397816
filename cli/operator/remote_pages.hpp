#pragma once
/// The pages of a coordinator, asked of it as an operator: over its keyed and
/// encrypted connection, so that no port of its HTTP has to be reached.

#include "cli/operator/connection.hpp"
#include "web/ui_server.hpp"

namespace brewery {

/// Asks for each page when it is asked for. Error: as operator_client::open,
/// or the coordinator does not answer now.
result<web::ui_source> remote_source(connection_arguments where);

} // namespace brewery
