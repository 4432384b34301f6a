#include "harness/http_fixture.hpp"

#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <unistd.h>

namespace server_stop_test {

using namespace gapless;
using namespace gapless::test;

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

constexpr std::string_view liveness{"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"};
constexpr std::chrono::seconds soon{5};
constexpr std::chrono::milliseconds at_once{0};
constexpr stop_times patient{.drain = 4 * soon, .grace = 8 * soon};

template <class Condition>
bool happens(asio::io_context& io, Condition condition)
{
    auto const end = std::chrono::steady_clock::now() + soon;
    while (!condition() && std::chrono::steady_clock::now() < end)
    {
        io.restart();
        io.run_for(std::chrono::milliseconds{2});
    }
    return condition();
}

struct stop_fixture : http_fixture
{
    void stop(stop_times const& times)
    {
        web.stop(times, [&] { ++stops; });
    }

    bool ends()
    {
        return happens(io, [&] { return stops > 0; });
    }

    raw_client served()
    {
        auto client = connect();
        client.send(liveness);
        CHECK(client.receive().field("connection") == "");
        return client;
    }

    int stops{};
};

/// A listening socket that outlives the servers it is handed to.
struct holder_fixture : stop_fixture
{
    std::unique_ptr<server> begin()
    {
        auto begun = std::make_unique<server>(io, service, routes(), http_limits{});
        begun->listen_on(::dup(held.native_handle()));
        return begun;
    }

    void end(std::unique_ptr<server> begun)
    {
        begun->stop(patient, [&] { ++stops; });
        CHECK(ends());
        stops = 0;
    }

    raw_client connect() { return {io, held.local_endpoint()}; }

    tcp::acceptor held{io, {asio::ip::address_v4::loopback(), 0}};
};

TEST_SUITE("http/server_stop_http")
{
    TEST_CASE_FIXTURE(
        stop_fixture, "a connection is answered once more after a stop, and then ends"
    )
    {
        auto idle = served();
        auto fresh = connect();
        CHECK(happens(io, [&] { return web.counters().connections_open == 2; }));
        auto unknown = connect();  // to the kernel only
        stop(patient);
        CHECK_THROWS(connect());
        for (auto* client : {&idle, &fresh, &unknown})
        {
            client->send(liveness);
            auto const answer = client->receive();
            CHECK(answer.status == 200);
            CHECK(answer.field("connection") == "close");
            CHECK(client->is_closed_within(soon));
            CHECK(stops == 0);
            client->close();
        }
        CHECK(ends());
    }

    TEST_CASE_FIXTURE(stop_fixture, "a request under way is answered after the drain is over")
    {
        service.keeps_waiting = true;
        auto busy = connect();
        busy.send(issue_request("busy"));
        CHECK(happens(io, [&] { return service.waiting() == 1; }));
        auto idle = served();
        stop({.drain = at_once, .grace = 4 * soon});
        CHECK(idle.is_closed_within(soon));
        idle.close();
        CHECK(stops == 0);

        service.answer_waiting();
        auto const answer = busy.receive();
        CHECK(answer.status == 201);
        CHECK(answer.field("connection") == "close");
        CHECK(busy.is_closed_within(soon));
        busy.close();
        CHECK(ends());
    }

    TEST_CASE_FIXTURE(stop_fixture, "an idle connection ends without a reset, and not for ever")
    {
        tcp::socket client{io};
        client.connect(web.local_endpoint());
        asio::write(client, asio::buffer(liveness));
        CHECK(happens(io, [&] { return client.available() > 0; }));
        std::array<char, 4'096> room;
        client.read_some(asio::buffer(room));
        stop({.drain = at_once, .grace = 4 * soon});
        boost::system::error_code why;
        CHECK(happens(io, [&] {
            client.non_blocking(true);
            client.read_some(asio::buffer(room), why);
            return why != asio::error::would_block;
        }));
        CHECK(why == asio::error::eof);
        // What was on its way meanwhile is read away: closing over it would reset the connection.
        for (int n = 0; n < 2; ++n)
        {
            asio::write(client, asio::buffer(liveness), why);
            CHECK_FALSE(why.failed());
        }
        CHECK(stops == 0);
        CHECK(ends());
    }

    TEST_CASE_FIXTURE(stop_fixture, "a request that is there when the drain is over is answered")
    {
        tcp::socket client{io};
        client.connect(web.local_endpoint());
        CHECK(happens(io, [&] { return web.counters().connections_open == 1; }));
        // Its turn is right before that of the timer, and after the look at the sockets.
        stop({.drain = at_once, .grace = 4 * soon});
        asio::post(io, [&] { asio::write(client, asio::buffer(liveness)); });
        CHECK(happens(io, [&] { return client.available() > 0; }));
        std::array<char, 4'096> room;
        auto const count = client.read_some(asio::buffer(room));
        std::string_view const answer{room.data(), count};
        CHECK(answer.starts_with("HTTP/1.1 200"));
        CHECK(answer.find("Connection: close") != std::string_view::npos);
        client.close();
        CHECK(ends());
    }

    TEST_CASE_FIXTURE(stop_fixture, "stopping waits no longer than its grace")
    {
        service.keeps_waiting = true;
        auto busy = connect();
        busy.send(issue_request("busy"));
        CHECK(happens(io, [&] { return service.waiting() == 1; }));

        stop({.drain = soon, .grace = std::chrono::milliseconds{30}});
        stop({.drain = soon, .grace = std::chrono::milliseconds{30}});
        CHECK(ends());
        CHECK(busy.is_closed_within(soon));
        service.answer_waiting();
        CHECK(happens(io, [&] { return web.counters().connections_open == 0; }));
        CHECK(stops == 1);
    }

    TEST_CASE_FIXTURE(stop_fixture, "stopping without connections is done at once")
    {
        stop(patient);
        CHECK(ends());
        io.restart();
        io.run();  // nothing is left to wait for
    }

    TEST_CASE_FIXTURE(
        holder_fixture, "a socket that was handed over keeps its clients for the next"
    )
    {
        auto first = begin();
        auto known = connect();
        known.send(liveness);
        CHECK(known.receive().status == 200);
        known.close();
        CHECK(happens(io, [&] { return first->counters().connections_open == 0; }));
        auto waiting = connect();
        end(std::move(first));
        auto later = connect();

        auto second = begin();
        for (auto* client : {&waiting, &later})
        {
            client->send(liveness);
            auto const answer = client->receive();
            CHECK(answer.status == 200);
            CHECK(answer.field("connection") == "");
            client->close();
        }
        CHECK(second->counters().connections_accepted == 2);
        end(std::move(second));
    }

    TEST_CASE_FIXTURE(holder_fixture, "two servers on one socket answer every client")
    {
        auto first = begin();
        auto second = begin();
        for (int n = 0; n < 20; ++n)
        {
            auto client = connect();
            client.send(liveness);
            CHECK(client.receive().status == 200);
        }
        end(std::move(first));
        auto client = connect();
        client.send(liveness);
        CHECK(client.receive().status == 200);
        client.close();
        end(std::move(second));
    }

    TEST_CASE_FIXTURE(stop_fixture, "a Unix socket is served, also to a client that has a name")
    {
        using local = asio::local::stream_protocol;
        auto const folder =
            std::filesystem::temp_directory_path() / ("gapless-" + std::to_string(::getpid()));
        std::filesystem::create_directory(folder);
        {
            local::acceptor held{io, (folder / "service").string()};
            server door{io, service, routes(), http_limits{}};
            door.listen_on(::dup(held.native_handle()));
            local::socket client{io, local{}};
            client.bind((folder / "a-client-whose-name-is-longer-than-any-address").string());
            client.connect(held.local_endpoint());
            asio::write(client, asio::buffer(liveness));
            CHECK(happens(io, [&] { return client.available() > 0; }));
            std::array<char, 12> room;
            client.read_some(asio::buffer(room));
            CHECK(std::string_view{room.data(), room.size()} == "HTTP/1.1 200");
        }
        std::filesystem::remove_all(folder);
    }
}

}  // namespace server_stop_test
