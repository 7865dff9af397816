#pragma once
/// TLS settings of this client: version 1.2 or later; a known authority must
/// have signed the certificate, and it must contain the host's name. This
/// cannot be switched off.

#include "base/result.hpp"

#include <filesystem>
#include <memory>
#include <string>

struct ssl_ctx_st;
struct ssl_st;

namespace brewery {

/// If `ca_file` is empty, uses the system's authorities.
result<std::shared_ptr<ssl_ctx_st>>
make_tls_context(const std::filesystem::path& ca_file);

/// Before the handshake: sets the host's name to request and to require.
result<void> expect_host(ssl_st* connection, const std::string& host);

/// After a failed handshake: why the certificate is not valid; "" if the
/// failure has another reason.
std::string certificate_trouble(const ssl_st* connection);

} // namespace brewery
