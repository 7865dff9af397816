#pragma once
/// Tabs of the guest's Chromium, by the HTTP part of the DevTools protocol:
/// /json/list, /json/new, /json/close. Errors are ec::environment. One object
/// serves one desktop, on one thread.

#include "base/result.hpp"
#include "envs/osworld/guest/guest_address.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace brewery::osworld {

struct browser_tab {
  std::string id;
  std::string url;
  std::string title;
};

class chromium_tabs {
public:
  explicit chromium_tabs(
      const guest_address& at,
      std::chrono::milliseconds patience = std::chrono::milliseconds{75'000})
      : host_(at.host), port_(at.chromium_port), patience_(patience) {}

  /// The pages, in the browser's order. Waits until the browser answers.
  result<std::vector<browser_tab>> list();
  /// Opens the addresses, and closes the tab that was there before.
  result<void> open(const std::vector<std::string>& urls);
  /// Closes the first tab of each address; an address that is not open is no
  /// error.
  result<void> close(const std::vector<std::string>& urls);

private:
  result<std::string> ask(const std::string& method, const std::string& path);
  result<std::vector<browser_tab>> list_once();
  result<void> close_tab(const browser_tab& tab);

  std::string host_;
  std::uint16_t port_;
  std::chrono::milliseconds patience_;
};

/// Without scheme http or https, "www." and a slash at the end: whether two
/// addresses show the same page.
bool is_same_page(std::string_view left, std::string_view right);

} // namespace brewery::osworld
