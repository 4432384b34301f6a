#pragma once

#include "http/url_check.hpp"
#include "webhooks/webhook_url.hpp"

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gapless {

/// Looks names up on Asio's resolver thread, because name servers may be slow. I/O thread only.
class address_check : public url_check
{
public:
    /// `networks`: where private addresses, and receivers without TLS, are allowed.
    address_check(boost::asio::io_context& io, std::vector<ip_network> networks);

    boost::asio::awaitable<result<void>> check(std::string text) override;

private:
    /// Nullopt: the name could not be resolved in time.
    boost::asio::awaitable<std::optional<std::vector<ip_address>>> find(std::string host);

    boost::asio::io_context& io_;
    std::vector<ip_network> networks_;
    std::size_t looking_{};  // look-ups under way
};

}  // namespace gapless
