#include "issuing/queue_bench.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <list>
#include <sys/resource.h>
#include <thread>

namespace issue_queue_connect_test {

using namespace gapless;
using namespace std::chrono_literals;
using test::queue_bench;

namespace asio = boost::asio;

/// A server at which clients arrive and are never answered: the kernel accepts them. With
/// `lets_in` it says that they may go on, and then nothing more, like one that was stopped.
class mute_server
{
public:
    explicit mute_server(bool lets_in)
    {
        if (lets_in)
            greeter_ = std::thread{[this] { greet(); }};
    }

    ~mute_server()
    {
        boost::system::error_code ignored;
        ::shutdown(door_.native_handle(), SHUT_RDWR);
        if (greeter_.joinable())
            greeter_.join();
        door_.close(ignored);
    }

    std::string port() const { return std::to_string(door_.local_endpoint().port()); }

private:
    void greet()
    {
        boost::system::error_code error;
        while (!error)
        {
            auto& guest = guests_.emplace_back(io_);
            door_.accept(guest, error);
            // Its first message: a length that counts itself, and the rest.
            std::array<unsigned char, 4> length{};
            if (error || asio::read(guest, asio::buffer(length), error) != length.size())
                continue;
            std::vector<char> rest(length[2] * 256U + length[3] - 4U);
            asio::read(guest, asio::buffer(rest), error);
            constexpr std::string_view welcome{"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", 15};
            asio::write(guest, asio::buffer(welcome), error);
        }
    }

    asio::io_context io_;
    asio::ip::tcp::acceptor door_{io_, {asio::ip::address_v4::loopback(), 0}};
    std::list<asio::ip::tcp::socket> guests_;
    std::thread greeter_;
};

/// No descriptor can be opened while it lives.
struct no_descriptors
{
    no_descriptors()
    {
        ::getrlimit(RLIMIT_NOFILE, &before);
        auto const lower = rlimit{3, before.rlim_max};
        ::setrlimit(RLIMIT_NOFILE, &lower);
    }
    ~no_descriptors() { ::setrlimit(RLIMIT_NOFILE, &before); }
    no_descriptors(no_descriptors const&) = delete;
    no_descriptors& operator=(no_descriptors const&) = delete;

    rlimit before{};
};

TEST_SUITE("issuing/issue_queue_connect_database")
{
    TEST_CASE_FIXTURE(queue_bench, "a host that is a black hole is passed over in time")
    {
        mute_server hole{false};
        auto const port = run("select inet_server_port()");
        auto const there = run("select host(inet_server_addr())");
        set_series_id(create_series("s", {{100, 199}}));
        auto const url_of_two = test::connection_string(
            url(), {{"host", "127.0.0.1," + there}, {"port", hole.port() + "," + port}}
        );
        auto const began = std::chrono::steady_clock::now();
        begin_at(url_of_two, {.unavailable_time_max = 15s});
        auto const asked = submit({"a"});
        run_until([&] { return has_outcome(asked); }, 15s);
        CHECK(outcome(asked) == "100-100");
        CHECK(std::chrono::steady_clock::now() - began < 15s);
    }

    TEST_CASE_FIXTURE(queue_bench, "a server that stops answering while connecting is given up")
    {
        mute_server mute{true};
        auto const nobody = "host=127.0.0.1 sslmode=disable gssencmode=disable port=" + mute.port();
        begin_at(nobody, {});
        run_until(
            [&] { return queue().trouble().find("did not answer in time") != std::string::npos; },
            10s
        );
        CHECK_FALSE(queue().connected());
    }

    TEST_CASE_FIXTURE(queue_bench, "without descriptors it stays away, and comes back by itself")
    {
        begin({{100, 199}});
        issue({{"a"}});
        {
            no_descriptors none;
            queue().reconnect("a test");
            run_until([&] { return queue().trouble().find("open files") != std::string::npos; });
            CHECK_FALSE(queue().connected());
            CHECK(issue({{"b"}}) == "refused: database-unavailable");
        }
        run_until([&] { return queue().whole(); });
        CHECK(issue({{"b"}}) == "101-101");
        CHECK(verify() == "gapless");
    }
}

}  // namespace issue_queue_connect_test
