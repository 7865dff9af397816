#pragma once
/// TLS as this client speaks it: 1.2 or later, the certificate must be signed
/// by a known authority and name the host. There is no switch to turn that off.

#include "base/result.hpp"

#include <filesystem>
#include <memory>
#include <string>

struct ssl_ctx_st;
struct ssl_st;

namespace brewery {

/// `ca_file` empty: the system's authorities.
result<std::shared_ptr<ssl_ctx_st>>
make_tls_context(const std::filesystem::path& ca_file);

/// Before the handshake: which name to ask for and to insist on.
result<void> expect_host(ssl_st* connection, const std::string& host);

/// After a failed handshake: why the certificate does not hold, "" when that
/// is not the reason.
std::string certificate_trouble(const ssl_st* connection);

} // namespace brewery
