#include "base/resident_memory.hpp"
#include "reserve/leases.hpp"

#include <variant>

namespace answered_keys_test {

using namespace gapless;
using namespace gapless::test;

std::string found(answered_keys const& keys, issue_request const& asked)
{
    auto const verdict = keys.find(asked);
    if (std::holds_alternative<answered_keys::unknown>(verdict))
        return "unknown";
    if (std::holds_alternative<answered_keys::not_repeatable>(verdict))
        return "not repeatable";
    if (auto const* why = std::get_if<refusal>(&verdict))
        return std::string{name_of(why->kind)};
    return std::to_string(std::get<issuance>(verdict).ranges.front().ordinal);
}

TEST_SUITE("reserve/answered_keys")
{
    TEST_CASE("a repeated request gets what was drawn for it, marked as a replay")
    {
        answered_keys keys{10};
        auto asked = request_of(1, 3);
        asked.reference = "order-1";
        auto given = issued_at(101, 3);
        given.issued_at = database_time{5s};
        given.ranges.front().turn = 4;
        given.reserve = true;
        keys.note_drawn(asked, given);
        auto const verdict = keys.find(asked);
        REQUIRE(std::holds_alternative<issuance>(verdict));
        auto const& again = std::get<issuance>(verdict);
        CHECK(again.series_id == 1);
        CHECK(again.epoch == 2);
        CHECK(again.issued_at == given.issued_at);
        CHECK(again.ranges == given.ranges);
        CHECK(again.reference == "order-1");
        CHECK(again.replayed);
        CHECK(again.reserve);
        CHECK_FALSE(again.hold_seconds.has_value());
    }

    TEST_CASE("nothing is known of a key that was not answered, or is another owner's")
    {
        answered_keys keys{10};
        CHECK(found(keys, request_of(1)) == "unknown");
        keys.note_drawn(request_of(1), issued_at(101));
        CHECK(found(keys, request_of(2)) == "unknown");
        auto others = request_of(1);
        others.owner_id = 8;
        CHECK(found(keys, others) == "unknown");
    }

    TEST_CASE("a key that asks for something else is refused")
    {
        answered_keys keys{10};
        auto const asked = request_of(1, 3);
        keys.note_drawn(asked, issued_at(101, 3));
        CHECK(found(keys, asked) == "101");
        auto other = asked;
        other.count = 2;
        CHECK(found(keys, other) == "idempotency-key-reused");
        other = asked;
        other.series_id = 2;
        CHECK(found(keys, other) == "idempotency-key-reused");
        other = asked;
        other.reference = "order-1";
        CHECK(found(keys, other) == "idempotency-key-reused");
        other = asked;
        other.contiguous = true;
        CHECK(found(keys, other) == "idempotency-key-reused");
        other = asked;
        other.hold_seconds = 60;
        CHECK(found(keys, other) == "idempotency-key-reused");
        auto named = request_of(2);
        named.reference = "order-1";
        keys.note_drawn(named, issued_at(104));
        CHECK(found(keys, named) == "104");
        named.reference = "order-2";
        CHECK(found(keys, named) == "idempotency-key-reused");
        named.reference.reset();
        CHECK(found(keys, named) == "idempotency-key-reused");
    }

    TEST_CASE("what the database answered or knows by now is known, but not repeated")
    {
        answered_keys keys{10};
        keys.note(request_of(1), issued_at(101));
        CHECK(found(keys, request_of(1)) == "not repeatable");
        auto held = request_of(2);
        held.hold_seconds = 60;
        keys.note(held, issued_at(102));
        CHECK(found(keys, held) == "not repeatable");
        keys.note_drawn(request_of(3), issued_at(103));
        keys.note_drawn(request_of(4), issued_at(104));
        keys.settled(7, request_of(3).key);
        CHECK(found(keys, request_of(3)) == "not repeatable");
        CHECK(found(keys, request_of(4)) == "104");
        keys.note(request_of(4), issued_at(104));
        CHECK(found(keys, request_of(4)) == "not repeatable");
    }

    TEST_CASE("a refused key says in what the requests differ, and when it was spent")
    {
        answered_keys keys{10};
        auto given = issued_at(101);
        given.issued_at = database_time{5s};
        keys.note(request_of(1), given);
        auto other = request_of(1, 2);
        other.reference = "order-1";
        auto const verdict = keys.find(other);
        REQUIRE(std::holds_alternative<refusal>(verdict));
        CHECK(
            std::get<refusal>(verdict).detail == "the key was spent on another request at "
                                                 "1970-01-01T00:00:05.000000Z, which differs in: "
                                                 "count, reference; use a new key for a new request"
        );
    }

    TEST_CASE("the oldest key is forgotten first, the others are not")
    {
        answered_keys keys{3};
        for (std::uint32_t n = 1; n <= 4; ++n)
            keys.note_drawn(request_of(n), issued_at(100 + n));
        CHECK(keys.size() == 3);
        CHECK(found(keys, request_of(1)) == "unknown");
        CHECK(found(keys, request_of(2)) == "102");
        CHECK(found(keys, request_of(4)) == "104");
        keys.note_drawn(request_of(3), issued_at(203));  // its answer changes, its age does not
        CHECK(found(keys, request_of(3)) == "203");
        keys.note_drawn(request_of(5), issued_at(105));
        keys.note_drawn(request_of(6), issued_at(106));
        CHECK(found(keys, request_of(2)) == "unknown");
        CHECK(found(keys, request_of(3)) == "unknown");
        CHECK(found(keys, request_of(4)) == "104");
    }

    TEST_CASE("whatever was forgotten before, the last keys are found")
    {
        constexpr std::uint32_t known = 100;
        answered_keys keys{known};
        for (std::uint32_t n = 0; n < 50 * known; ++n)
        {
            keys.note_drawn(request_of(n * 2'654'435'761U), issued_at(n + 1));
            if (n % 7 != 0)
                continue;
            for (std::uint32_t back = 0; back <= n && back < known; ++back)
                REQUIRE(
                    found(keys, request_of((n - back) * 2'654'435'761U)) ==
                    std::to_string(n - back + 1)
                );
            if (n >= known)
                REQUIRE(found(keys, request_of((n - known) * 2'654'435'761U)) == "unknown");
        }
    }

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    TEST_CASE("a key takes no more than 150 bytes, of a million")
    {
        constexpr std::uint32_t known = 1'000'000;
        auto const before = resident_bytes();
        answered_keys keys{known};
        auto asked = request_of(0);
        asked.reference = std::string(255, 'x');
        for (std::uint32_t n = 0; n < known + 10; ++n)
        {
            asked.key = key_of(n);
            keys.note_drawn(asked, issued_at(n + 1));
        }
        CHECK(keys.size() == known);
        CHECK(resident_bytes() - before <= 150 * known);
    }
#endif
}

}  // namespace answered_keys_test
