#include "envs/osworld/desktops/options.hpp"

#include "envs/osworld/desktops/docker_provider.hpp"
#include "envs/osworld/desktops/local_provider.hpp"
#include "envs/osworld/desktops/static_provider.hpp"

namespace brewery::osworld {

result<std::unique_ptr<desktop_provider>>
make_provider(const desktop_options& options) {
  if (options.provider == "local") return make_local_provider(options.local);
  if (options.provider == "docker") return make_docker_provider(options.docker);
  if (options.provider == "static") return make_static_provider(options.fixed);
  return error{ec::invalid_config, "unknown provider of desktops '"
                                       + options.provider
                                       + "' (known: local, docker, static)"};
}

result<std::shared_ptr<desktop_pool>>
make_desktops(const desktop_options& options, screen_probe probe) {
  auto provider = make_provider(options);
  if (!provider) return provider.error();
  return std::make_shared<desktop_pool>(std::move(*provider), std::move(probe),
                                        options.pool);
}

} // namespace brewery::osworld
