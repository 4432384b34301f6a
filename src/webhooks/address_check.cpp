#include "webhooks/address_check.hpp"

#include "base/as_outcome.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <memory>
#include <utility>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds address_time_max{3};
constexpr std::size_t looking_max = 16;  // names looked up at the same time

/// A name being looked up, and the callers that wait for it.
struct look_up
{
    explicit look_up(asio::io_context& io) : over{io, address_time_max} {}

    asio::steady_timer over;  // cancelled when the addresses are known
    std::optional<std::vector<ip_address>> found;
};

result<void> to_outcome(std::string obstacle)
{
    if (obstacle.empty())
        return {};
    return refusal{refusal_kind::out_of_range, "The field \"url\": " + std::move(obstacle) + "."};
}

}  // namespace

address_check::address_check(asio::io_context& io, std::vector<ip_network> networks)
    : io_{io},
      networks_{std::move(networks)}
{
}

asio::awaitable<result<void>> address_check::check(std::string text)
{
    auto const read = read_webhook_url(text);
    if (read.has_error())
        co_return read.error();
    auto const& url = *read;
    std::vector<ip_address> addresses;
    if (!url.address)
    {
        if (looking_ == looking_max)
            co_return refusal{
                refusal_kind::overloaded, "too many names are looked up; try again in a moment"};
        auto found = co_await find(url.host);
        // https deliveries go to public addresses only, which is checked again each time.
        if (!found && !url.secure)
            co_return refusal{
                refusal_kind::overloaded,
                "nobody could say in time which addresses " + url.host + " has; try again"};
        addresses = std::move(found).value_or(std::vector<ip_address>{});
    }
    co_return to_outcome(delivery_obstacle(url, addresses, networks_));
}

asio::awaitable<std::optional<std::vector<ip_address>>> address_check::find(std::string host)
{
    asio::ip::tcp::resolver resolver{io_};
    auto const wanted = std::make_shared<look_up>(io_);
    auto take = [this, wanted](boost::system::error_code, auto const& found) {
        --looking_;
        wanted->found.emplace();
        for (auto const& each : found)
            wanted->found->push_back(to_ip_address(each.endpoint().address()));
        wanted->over.cancel();
    };
    resolver.async_resolve(host, "", std::move(take));
    // Counted until the name server has answered, even if nobody waits for that any more.
    ++looking_;
    co_await wanted->over.async_wait(as_outcome);
    co_return std::move(wanted->found);
}

}  // namespace gapless
