#include "formats/catalogue.hpp"
#include "harness/http_fixture.hpp"
#include "harness/json_value.hpp"
#include "numbers/issuance_json.hpp"

#include <boost/asio/write.hpp>
#include <doctest/doctest.h>

#include <algorithm>

namespace long_answer_test {

using namespace gapless;
using namespace gapless::test;
using boost::asio::ip::tcp;

constexpr std::uint64_t piece_bytes_max = 80 * 1'024;
constexpr std::string_view liveness{"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"};

std::string long_request(std::string_view fields = {})
{
    return http_fixture::request(
        "POST /v1/series/dhl-paket/numbers?numbers=true",
        "Idempotency-Key: long\r\n" + std::string{fields},
        R"({"count":100000})"
    );
}

TEST_SUITE("ledger/long_answer_http")
{
    TEST_CASE_FIXTURE(http_fixture, "others are served while a long answer is sent")
    {
        tcp::socket reader{io};
        reader.connect(web.local_endpoint());
        tcp::socket other{io};
        other.connect(web.local_endpoint());
        boost::asio::write(reader, boost::asio::buffer(long_request()));
        reader.non_blocking(true);
        other.non_blocking(true);

        std::string received;
        std::array<char, 256 * 1'024> room;
        std::uint64_t largest_turn = 0;
        bool asked = false;
        std::uint64_t sent_before_other = 0;
        auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{20};
        auto const is_whole = [&] { return received.ends_with("}"); };
        while (!is_whole() && std::chrono::steady_clock::now() < end)
        {
            auto const before = web.counters().bytes_sent;
            io.restart();
            io.poll_one();
            largest_turn = std::max(largest_turn, web.counters().bytes_sent - before);
            boost::system::error_code none;
            received.append(room.data(), reader.read_some(boost::asio::buffer(room), none));
            if (!asked && !received.empty())
            {
                asked = true;
                other.write_some(boost::asio::buffer(liveness));
            }
            if (asked && sent_before_other == 0 && other.available() > 0)
                sent_before_other = web.counters().bytes_sent;
        }
        REQUIRE(is_whole());
        CHECK(largest_turn > 0);
        CHECK(largest_turn <= piece_bytes_max);
        CHECK(sent_before_other > 0);
        CHECK(sent_before_other < received.size() / 2);
        auto const body = received.substr(received.find("\r\n\r\n") + 4);
        auto const json = json_value::parse(body);
        CHECK(json["numbers"].size() == 100'000);
        CHECK(json["numbers"].back() == json["ranges"][0]["last"]);
    }

    TEST_CASE_FIXTURE(http_fixture, "answers arrive whole however late their client reads")
    {
        // More than the kernel keeps, so that one of them is taken in part.
        constexpr int requests = 120;
        auto const request = http_fixture::request("GET /openapi.json");
        auto const whole = ask(request);
        REQUIRE(whole.body.size() > 60'000);
        auto client = connect();
        for (int n = 0; n < requests; ++n)
            client.send(request);
        CHECK_FALSE(client.is_closed_within(std::chrono::milliseconds{1}));
        int same = 0;
        for (int n = 0; n < requests; ++n)
            same += client.receive().body == whole.body ? 1 : 0;
        CHECK(same == requests);
    }
}

}  // namespace long_answer_test
