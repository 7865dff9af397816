#include "cli/operator/realtime_option.hpp"

namespace brewery {

void add_realtime_option(CLI::App& command, bool& realtime) {
  command.add_flag(
      "--realtime", realtime,
      "Pass jobs on before everything else that this machine does, for one "
      "whose processors other programs use up. Needs the right to real-time "
      "scheduling: LimitRTPRIO=1 or CAP_SYS_NICE.");
}

} // namespace brewery
