#pragma once
/// The setup step `update_browse_history`: fills Chrome's history. The guest's
/// own Python writes the database, by the guest's clock.

#include "envs/osworld/guest/guest_client.hpp"
#include "envs/osworld/setup/file_cache.hpp"

namespace brewery::osworld {

/// `history`: a list of {url, title, visit_time_from_now_in_seconds}. Errors
/// are ec::environment, or ec::invalid_argument for another list.
result<void> write_browse_history(const json& history, guest_client& guest,
                                  const file_cache& files);

} // namespace brewery::osworld
