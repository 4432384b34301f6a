#pragma once

#include "service/webhook_gate.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace gapless {

/// Looks names up on a thread of its own, because name servers may be slow. I/O thread only.
class address_gate : public webhook_gate
{
public:
    /// `networks`: of private addresses, and of receivers without TLS, to which may be delivered.
    address_gate(boost::asio::io_context& io, std::vector<ip_network> networks);

    /// Waits for a look-up that is under way, not for those behind it.
    ~address_gate() override;

    boost::asio::awaitable<result<void>> check(webhook_url url) override;

private:
    boost::asio::awaitable<std::vector<ip_address>> find(std::string host);

    boost::asio::io_context& io_;
    std::vector<ip_network> networks_;
    std::size_t looking_{};  // for names, at this moment
    boost::asio::thread_pool pool_{1};
};

}  // namespace gapless
