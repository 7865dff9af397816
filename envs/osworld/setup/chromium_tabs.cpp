#include "envs/osworld/setup/chromium_tabs.hpp"

#include "base/encodings.hpp"
#include "base/json.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "envs/osworld/guest/http_call.hpp"
#include "messages/json_brackets.hpp"

#include <fmt/format.h>

#include <thread>

namespace brewery::osworld {

namespace {

constexpr std::chrono::milliseconds tab_pause{500};
constexpr std::chrono::milliseconds tab_deadline{30'000};

std::string member_text(const json& of, const char* name) {
  const auto found = of.find(name);
  return found != of.end() && found->is_string() ? found->get<std::string>()
                                                 : std::string{};
}

std::string page_key(std::string_view url) {
  auto key = lower(url);
  for (const std::string_view scheme : {"http://", "https://"})
    if (key.starts_with(scheme)) {
      key.erase(0, scheme.size());
      break;
    }
  if (key.starts_with("www.")) key.erase(0, 4);
  if (key.ends_with('/')) key.pop_back();
  return key;
}

} // namespace

bool is_same_page(std::string_view left, std::string_view right) {
  return page_key(left) == page_key(right);
}

result<std::string> chromium_tabs::ask(const std::string& method,
                                       const std::string& path) {
  auto answer =
      http_call({host_, port_}, {method, path}, {.deadline = tab_deadline});
  const auto broken = [&](const std::string& why) {
    return error{ec::environment,
                 fmt::format("the desktop's Chromium at {}:{}: {} {}: {}",
                             host_, port_, method, printable(path), why)};
  };
  if (answer.end != call_end::replied) return broken(answer.what);
  if (answer.status != 200)
    return broken(fmt::format("status {}", answer.status));
  return std::move(answer.body);
}

result<std::vector<browser_tab>> chromium_tabs::list_once() {
  const auto reply = ask("GET", "/json/list");
  if (!reply) return reply.error();
  const auto body = json_depth(*reply) > json_depth_most
                        ? json{}
                        : json::parse(*reply, nullptr, false);
  if (!body.is_array())
    return error{ec::environment,
                 "the desktop's Chromium lists no tabs in its /json/list"};
  std::vector<browser_tab> out;
  for (const auto& entry : body)
    if (entry.is_object() && member_text(entry, "type") == "page")
      out.push_back({member_text(entry, "id"), member_text(entry, "url"),
                     member_text(entry, "title")});
  return out;
}

result<std::vector<browser_tab>> chromium_tabs::list() {
  using clock = std::chrono::steady_clock;
  const auto last = clock::now() + patience_;
  for (;;) {
    auto tabs = list_once();
    if (tabs || clock::now() + tab_pause > last) return tabs;
    std::this_thread::sleep_for(tab_pause);
  }
}

result<void> chromium_tabs::close_tab(const browser_tab& tab) {
  const auto closed = ask("GET", "/json/close/" + percent_encoded(tab.id));
  if (!closed) return closed.error();
  return {};
}

result<void> chromium_tabs::open(const std::vector<std::string>& urls) {
  const auto before = list();
  if (!before) return before.error();
  for (std::size_t i = 0; i < urls.size(); ++i) {
    // The address is the whole query, as DevTools reads it.
    const auto opened = ask("PUT", "/json/new?" + percent_encoded(urls[i]));
    if (!opened) return opened.error();
    if (i == 0 && !before->empty())
      if (auto ok = close_tab(before->front()); !ok) return ok;
  }
  return {};
}

result<void> chromium_tabs::close(const std::vector<std::string>& urls) {
  for (const auto& url : urls) {
    const auto tabs = list();
    if (!tabs) return tabs.error();
    for (const auto& tab : *tabs)
      if (is_same_page(tab.url, url)) {
        if (auto ok = close_tab(tab); !ok) return ok;
        break;
      }
  }
  return {};
}

} // namespace brewery::osworld
