#include "webhooks/receiver_check.hpp"

#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "cli/failure.hpp"
#include "webhooks/webhook_url.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <fmt/format.h>

namespace gapless::cli {

std::vector<ip_address> find_addresses(std::string const& host)
{
    boost::asio::io_context io;
    boost::system::error_code unknown;
    std::vector<ip_address> found;
    for (auto const& each : boost::asio::ip::tcp::resolver{io}.resolve(host, "", unknown))
        found.push_back(to_ip_address(each.endpoint().address()));
    return found;
}

void check_receiver(std::string_view text, std::string const& named_networks)
{
    auto const url = value_of(read_webhook_url(text));
    auto const networks = read_ip_networks(named_networks);
    if (!networks)
        throw usage_error(fmt::format(
            "--webhook-networks: {} is no list of networks such as 10.0.0.0/8,fd00::/8",
            to_quoted(named_networks)
        ));
    auto const addresses = url.address ? std::vector<ip_address>{} : find_addresses(url.host);
    if (auto const why = delivery_obstacle(url, addresses, *networks); !why.empty())
        throw usage_error("URL: " + why);
}

}  // namespace gapless::cli
