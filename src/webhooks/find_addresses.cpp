#include "webhooks/find_addresses.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace gapless {

std::vector<ip_address> find_addresses(std::string const& host)
{
    boost::asio::io_context io;
    boost::system::error_code unknown;
    std::vector<ip_address> found;
    for (auto const& each : boost::asio::ip::tcp::resolver{io}.resolve(host, "", unknown))
        found.push_back(to_ip_address(each.endpoint().address()));
    return found;
}

}  // namespace gapless
