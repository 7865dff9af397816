#include "envs/tau2/data/person_models.hpp"

namespace brewery::tau2 {

json read_name(const json& from, model_trace& trace) {
  model_reader in{from, trace, "name"};
  in.text("first_name");
  in.text("last_name");
  return in.take();
}

json read_address(const json& from, model_trace& trace) {
  model_reader in{from, trace, "address"};
  for (const char* line :
       {"address1", "address2", "city", "country", "state", "zip"})
    in.text(line);
  return in.take();
}

} // namespace brewery::tau2
