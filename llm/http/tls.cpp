#include "llm/http/tls.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <arpa/inet.h>

namespace brewery {

namespace {

/// The reason of the last failed call; clears OpenSSL's queue.
std::string openssl_reason() {
  const auto code = ERR_get_error();
  ERR_clear_error();
  const char* const text = ERR_reason_error_string(code);
  return text == nullptr ? "unknown reason" : text;
}

bool is_address(const std::string& host) {
  unsigned char bytes[sizeof(in6_addr)];
  return inet_pton(AF_INET, host.c_str(), bytes) == 1
         || inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

} // namespace

result<std::shared_ptr<ssl_ctx_st>>
make_tls_context(const std::filesystem::path& ca_file) {
  std::shared_ptr<SSL_CTX> out{SSL_CTX_new(TLS_client_method()), SSL_CTX_free};
  if (!out)
    return error{ec::internal, "cannot set up TLS: " + openssl_reason()};
  SSL_CTX_set_min_proto_version(out.get(), TLS1_2_VERSION);
  SSL_CTX_set_verify(out.get(), SSL_VERIFY_PEER, nullptr);
  // Saves memory: there are many connections, and most are idle.
  SSL_CTX_set_mode(out.get(), SSL_MODE_RELEASE_BUFFERS);
  static constexpr unsigned char http[] = "\x08http/1.1";
  SSL_CTX_set_alpn_protos(out.get(), http, sizeof http - 1);
  if (ca_file.empty()) {
    if (SSL_CTX_set_default_verify_paths(out.get()) != 1)
      return error{ec::io, fmt::format("cannot read the system's certificate "
                                       "authorities: {}",
                                       openssl_reason())};
    return out;
  }
  std::error_code failed;
  if (!std::filesystem::exists(ca_file, failed))
    return error{ec::not_found,
                 fmt::format("ca_file {} does not exist", ca_file.string())};
  if (SSL_CTX_load_verify_file(out.get(), ca_file.c_str()) != 1)
    return error{ec::invalid_config,
                 fmt::format("ca_file {} holds no certificates in PEM: {}",
                             ca_file.string(), openssl_reason())};
  return out;
}

result<void> expect_host(ssl_st* connection, const std::string& host) {
  auto* const expected = SSL_get0_param(connection);
  bool done = false;
  if (is_address(host)) {
    done = X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str()) == 1;
  } else {
    X509_VERIFY_PARAM_set_hostflags(expected,
                                    X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    done = SSL_set1_host(connection, host.c_str()) == 1
           && SSL_set_tlsext_host_name(connection, host.c_str()) == 1;
  }
  if (done) return {};
  return error{ec::internal, fmt::format("cannot check for host '{}': {}", host,
                                         openssl_reason())};
}

std::string certificate_trouble(const ssl_st* connection) {
  const auto code = SSL_get_verify_result(connection);
  return code == X509_V_OK ? "" : X509_verify_cert_error_string(code);
}

} // namespace brewery
