#include "envs/osworld/desktops/guest_modules.hpp"

#include "base/hash.hpp"
#include "base/result.hpp"

namespace brewery::osworld {

std::string guest_modules_hash() {
  hash_input all;
  for (const auto* modules : {&launch_modules(), &guest_modules()})
    for (const auto& module : *modules)
      all.add(module.name).add(module.text);
  return all.content();
}

std::string official_grade_script() {
  for (const auto& module : launch_modules())
    if (module.name == "official_grade") return std::string{module.text};
  BREWERY_ASSERT(!"official_grade is embedded");
  return {};
}

} // namespace brewery::osworld
