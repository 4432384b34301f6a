#include "service/notice_ring.hpp"

#include <doctest/doctest.h>

namespace notice_ring_test {

using namespace gapless;

/// A chunk with one event of ten bytes for each seq: "…000000017".
std::shared_ptr<notice_chunk const> chunk(std::int64_t after, std::int64_t last)
{
    notice_chunk made{.after = after, .last = last};
    for (auto seq = after + 1; seq <= last; ++seq)
    {
        auto const digits = std::to_string(seq);
        made.text += std::string(10 - digits.size(), '0') + digits;
        auto const series = seq % 3 == 0 ? std::nullopt : std::optional{std::string{"s"}};
        made.events.push_back({seq, series, seq % 2 == 0 ? "even" : "odd", made.text.size()});
    }
    return std::make_shared<notice_chunk const>(std::move(made));
}

constexpr notice_reach everything{.token_id = 1, .series = {}, .whole = true};

/// The events of chunk 10…16 behind `seq` that pass: "11 12"; parts are told apart by a comma.
std::string picked(std::int64_t seq, notice_filter const& filter)
{
    std::string seen;
    for (auto part : pick(chunk(10, 16), seq, filter).parts)
    {
        seen += seen.empty() ? "" : ",";
        for (; !part.empty(); part.remove_prefix(10))
        {
            seen += seen.empty() || seen.ends_with(',') ? "" : " ";
            seen += part.substr(8, 2);
        }
    }
    return seen;
}

std::string found(notice_ring const& ring, std::int64_t seq)
{
    auto const one = ring.find(seq);
    return one ? std::to_string(one->after) + "-" + std::to_string(one->last) : "none";
}

TEST_SUITE("service/notice_ring")
{
    TEST_CASE("the chunk is found that has what follows a notice")
    {
        notice_ring ring{1'000};
        ring.restart(10);
        CHECK(found(ring, 10) == "none");
        ring.append(chunk(10, 12));
        ring.append(chunk(12, 13));
        ring.append(chunk(13, 20));
        CHECK(found(ring, 10) == "10-12");
        CHECK(found(ring, 11) == "10-12");
        CHECK(found(ring, 12) == "12-13");
        CHECK(found(ring, 13) == "13-20");
        CHECK(found(ring, 19) == "13-20");
        CHECK(found(ring, 20) == "none");
        CHECK(found(ring, 21) == "none");
        CHECK(found(ring, 9) == "none");
        CHECK(ring.last() == 20);
    }

    TEST_CASE("chunks follow one another")
    {
        notice_ring ring{1'000};
        ring.restart(10);
        CHECK_THROWS(ring.append(chunk(11, 12)));
        CHECK_THROWS(ring.append(chunk(9, 12)));
        CHECK(ring.last() == 10);
    }

    TEST_CASE("the oldest chunks go where there are too many bytes, the latest stays")
    {
        notice_ring ring{50};
        ring.append(chunk(0, 2));
        ring.append(chunk(2, 5));
        CHECK(found(ring, 0) == "0-2");
        ring.append(chunk(5, 6));
        CHECK(found(ring, 1) == "none");
        CHECK(found(ring, 2) == "2-5");
        ring.append(chunk(6, 100));
        CHECK(found(ring, 5) == "none");
        CHECK(found(ring, 6) == "6-100");
        ring.restart(7);
        CHECK(found(ring, 6) == "none");
        ring.append(chunk(7, 9));
        ring.append(chunk(9, 12));
        CHECK(found(ring, 7) == "7-9");
    }

    TEST_CASE("a stream that may see all sends a chunk in one piece, from its place on")
    {
        CHECK(picked(10, {.reach = everything}) == "11 12 13 14 15 16");
        CHECK(picked(3, {.reach = everything}) == "11 12 13 14 15 16");
        CHECK(picked(13, {.reach = everything}) == "14 15 16");
        CHECK(picked(15, {.reach = everything}) == "16");
        CHECK(picked(16, {.reach = everything}) == "");
    }

    TEST_CASE("a stream sends what its client wants")
    {
        CHECK(picked(10, {.kind = "even", .reach = everything}) == "12,14,16");
        CHECK(picked(12, {.kind = "even", .reach = everything}) == "14,16");
        CHECK(picked(10, {.series = "s", .reach = everything}) == "11,13 14,16");
        CHECK(picked(10, {.series = "s", .kind = "odd", .reach = everything}) == "11,13");
        CHECK(picked(10, {.series = "t", .reach = everything}) == "");
        CHECK(picked(10, {.kind = "eve", .reach = everything}) == "");
    }

    TEST_CASE("a stream sends what its token may see, and nothing else")
    {
        CHECK(
            picked(10, {.reach = {.token_id = 1, .series = {}, .whole = false}}) == "11,13 14,16"
        );
        CHECK(picked(10, {.reach = {.token_id = 1, .series = {{"s"}}}}) == "11,13 14,16");
        CHECK(picked(10, {.reach = {.token_id = 1, .series = {{"t"}}}}) == "");
        CHECK(picked(10, {.reach = {.token_id = 1, .series = {{"t", "s"}}}}) == "11,13 14,16");
        CHECK(picked(10, {.series = "s", .reach = {.token_id = 1, .series = {{"t"}}}}) == "");
    }

    TEST_CASE("a piece keeps its chunk")
    {
        auto one = chunk(10, 12);
        auto const piece = pick(one, 10, {.reach = everything});
        std::weak_ptr<notice_chunk const> const watched{one};
        one.reset();
        CHECK_FALSE(watched.expired());
        CHECK(piece.bytes() == 20);
    }
}

}  // namespace notice_ring_test
