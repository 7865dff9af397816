#include "base/printable.hpp"
#include "base/text.hpp"
#include "roles/roles.hpp"

#include <algorithm>

namespace brewery {

void job_context::note(std::string_view role, std::string_view what,
                       std::string_view reason) {
  constexpr std::size_t reason_bytes_max = 300;
  const auto known = std::ranges::find_if(notes, [&](const reply_note& one) {
    return one.role == role && one.what == what;
  });
  if (known != notes.end())
    ++known->count;
  else
    notes.push_back({std::string{role}, std::string{what}, 1,
                     excerpt(collapse_spaces(reason), reason_bytes_max)});
}

bool job_context::has_note(std::string_view role, std::string_view what) const {
  return std::ranges::any_of(notes, [&](const reply_note& note) {
    return note.role == role && note.what == what;
  });
}

} // namespace brewery
