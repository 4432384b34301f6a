#include "http/answer_writer.hpp"
#include "http/connection_clock.hpp"
#include "http/request_reader.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

namespace session_parts_test {

using namespace gapless;

using progress = request_reader::progress;

void put(request_reader& reader, std::string_view bytes)
{
    while (!bytes.empty())
    {
        auto const room = reader.room();
        auto const count = std::min(room.size(), bytes.size());
        std::memcpy(room.data(), bytes.data(), count);
        reader.took(count);
        bytes.remove_prefix(count);
    }
}

std::string text(std::array<boost::asio::const_buffer, 2> const& parts)
{
    std::string all;
    for (auto const& part : parts)
        all.append(static_cast<char const*>(part.data()), part.size());
    return all;
}

constexpr std::string_view head{"GET / HTTP/1.1\r\nHost: a\r\n\r\n"};

TEST_SUITE("http/request_reader")
{
    TEST_CASE("a TLS handshake is told by its first byte, however much comes with it")
    {
        for (std::string_view const bytes : {"\x16", "\x16\x03\x01\x7f\xff"})
        {
            request_reader reader{1'000};
            put(reader, bytes);
            CHECK(reader.look() == progress::faulty);
            CHECK(reader.why().detail.starts_with("These bytes are TLS"));
        }
    }

    TEST_CASE("a head is found when its last byte has come, however it comes")
    {
        for (std::size_t cut = 1; cut < head.size(); ++cut)
        {
            request_reader reader{1'000};
            CHECK(reader.look() == progress::idle);
            put(reader, head.substr(0, cut));
            CHECK(reader.look() == progress::arriving);
            put(reader, head.substr(cut));
            CHECK(reader.look() == progress::head);
            CHECK(reader.head() == head);
        }
    }

    TEST_CASE("one empty line before a request is forgiven, two are not")
    {
        request_reader reader{1'000};
        put(reader, "\r");
        CHECK(reader.look() == progress::idle);
        put(reader, "\n");
        CHECK(reader.look() == progress::idle);
        put(reader, head);
        CHECK(reader.look() == progress::head);

        request_reader other{1'000};
        put(other, "\r\n\r\n");
        CHECK(other.look() == progress::faulty);
    }

    TEST_CASE("what lies beyond the limit decides nothing")
    {
        request_reader reader{head.size() - 1};
        put(reader, head);
        CHECK(reader.look() == progress::faulty);
        CHECK(reader.why().status == 431);
        request_reader exact{head.size()};
        put(exact, head);
        CHECK(exact.look() == progress::head);
        request_reader line{10};
        put(line, head);
        CHECK(line.look() == progress::faulty);
        CHECK(line.why().status == 414);
    }

    TEST_CASE("a body comes with its head or behind it, and the next request behind both")
    {
        request_reader reader{1'000};
        put(reader, head);
        put(reader, "bodyGET");
        REQUIRE(reader.look() == progress::head);
        CHECK(reader.has_body(4));
        CHECK(reader.body(4) == "body");
        reader.next(head.size() + 4);
        CHECK(reader.look() == progress::arriving);

        request_reader late{1'000};
        put(late, head);
        put(late, "bo");
        REQUIRE(late.look() == progress::head);
        CHECK_FALSE(late.has_body(4));
        late.begin_late_body(4);
        CHECK(late.late_bytes() == 2);
        auto const room = late.late_room();
        REQUIRE(room.size() == 2);
        std::memcpy(room.data(), "dy", 2);
        late.took_late(2);
        CHECK(late.late_room().size() == 0);
        CHECK(late.late_body() == "body");
        late.next(head.size() + 4);
        CHECK(late.look() == progress::idle);
    }
}

TEST_SUITE("http/answer_writer")
{
    TEST_CASE("a body of any length is sent whole, in pieces")
    {
        for (std::size_t const length : {0UL, 1UL, 16'384UL, 16'385UL, 65'537UL, 200'000UL})
        {
            answer given;
            given.body.assign(length, 'x');
            given.body += '.';
            answer_writer writer;
            writer.begin(given, connection_header::none, true);
            auto sent = text(writer.parts());
            CHECK(sent.size() == writer.bytes());
            while (writer.next_piece())
            {
                CHECK(writer.bytes() <= 65'536);
                sent += text(writer.parts());
            }
            CHECK(sent.ends_with("\r\n\r\n" + given.body));
        }
    }

    TEST_CASE("what a socket took at once is not sent again")
    {
        answer given;
        given.body.assign(20'000, 'x');
        answer_writer writer;
        writer.begin(given, connection_header::none, true);
        auto const whole = text(writer.parts());
        for (std::size_t const sent : {0UL, 1UL, 300UL, 19'000UL, 20'000UL})
            CHECK(text(writer.parts_behind(sent)) == whole.substr(sent));
    }

    TEST_CASE("the answer to HEAD has no body")
    {
        answer given;
        given.body = "body";
        answer_writer writer;
        writer.begin(given, connection_header::close, false);
        CHECK(text(writer.parts()).ends_with("\r\n\r\n"));
        CHECK_FALSE(writer.next_piece());
    }
}

TEST_SUITE("http/connection_clock")
{
    using phase = connection_clock::phase;
    using verdict = connection_clock::verdict;

    TEST_CASE("each phase has its deadline, and what is late is told once")
    {
        http_limits limits;
        auto const sweeps = [&](auto limit) {
            return 2 + static_cast<std::uint64_t>(limit / limits.sweep_period);
        };
        struct row
        {
            phase begun;
            bool arriving;
            std::uint64_t deadline;
            verdict end;
        };
        for (auto const& each : {
                 row{phase::idle, false, sweeps(limits.idle_time_max), verdict::close},
                 row{phase::handshake, false, sweeps(limits.header_time_max), verdict::close},
                 row{phase::header, false, sweeps(limits.header_time_max), verdict::close},
                 row{phase::header, true, sweeps(limits.header_time_max), verdict::answer},
                 row{phase::body, true, sweeps(limits.body_time_max), verdict::answer},
                 row{phase::writing, true, sweeps(limits.write_time_max), verdict::close},
                 row{phase::lingering, false, sweeps(limits.linger_time_max), verdict::close},
                 row{phase::parting, false, 2, verdict::close},
             })
        {
            connection_clock clock{limits};
            clock.enter(each.begun, 100);
            CHECK(clock.look(99 + each.deadline, each.arriving) == verdict::stay);
            CHECK_FALSE(clock.late());
            CHECK(clock.look(100 + each.deadline, each.arriving) == each.end);
            CHECK(clock.late());
            CHECK(clock.look(1'000'000, each.arriving) == verdict::stay);
        }
    }

    TEST_CASE("a request that runs has no deadline here, but its client is looked for")
    {
        http_limits limits;
        connection_clock clock{limits};
        clock.enter(phase::running, 0);
        CHECK(clock.look(1'000'000, true) == verdict::look);
        CHECK_FALSE(clock.late());
    }

    TEST_CASE("a client that ended its side is gone a while later, not at once")
    {
        http_limits limits;
        connection_clock clock{limits};
        clock.enter(phase::running, 0);
        CHECK_FALSE(clock.leaving());
        CHECK_FALSE(clock.note_half_closed(10));
        CHECK(clock.leaving());
        auto const gone =
            12 + static_cast<std::uint64_t>(limits.half_closed_time_max / limits.sweep_period);
        CHECK_FALSE(clock.note_half_closed(gone - 1));
        CHECK(clock.note_half_closed(gone));
        clock.enter(phase::writing, gone);
        CHECK_FALSE(clock.leaving());
    }
}

}  // namespace session_parts_test
