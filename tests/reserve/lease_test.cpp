#include "reserve/lease.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace gapless;

TEST_SUITE("reserve/lease")
{
    TEST_CASE("an id is read as it is written, as PostgreSQL writes a UUID")
    {
        lease_id id;
        for (std::size_t n = 0; n < id.bytes.size(); ++n)
            id.bytes[n] = static_cast<unsigned char>(0x10 * n + n);
        CHECK(to_text(id) == "00112233-4455-6677-8899-aabbccddeeff");
        CHECK(read_lease_id("00112233-4455-6677-8899-aabbccddeeff") == id);
    }

    TEST_CASE("any other text is no id")
    {
        for (auto const* text :
             {"",
              "00112233-4455-6677-8899-aabbccddeef",
              "00112233-4455-6677-8899-aabbccddeeff0",
              "00112233445566778899aabbccddeeff",
              "00112233-4455-6677-8899-AABBCCDDEEFF",
              "0011223-34455-6677-8899-aabbccddeeff",
              "00112233-4455-6677-8899-aabbccddeefg",
              "00112233-4455-6677-8899_aabbccddeeff",
              "{0112233-4455-6677-8899-aabbccddeeff"})
            CHECK_MESSAGE(read_lease_id(text) == std::nullopt, text);
    }

    TEST_CASE("new ids are random, version 4, and differ")
    {
        std::set<lease_id> all;
        for (int n = 0; n < 1'000; ++n)
        {
            auto const id = make_lease_id();
            auto const text = to_text(id);
            CHECK(text[14] == '4');
            CHECK(std::string{"89ab"}.find(text[19]) != std::string::npos);
            all.insert(id);
        }
        CHECK(all.size() == 1'000);
    }

    TEST_CASE("each status has its name")
    {
        CHECK(name_of(lease_status::open) == "open");
        for (auto const status :
             {lease_status::open, lease_status::recalled, lease_status::closed, lease_status::lost})
            CHECK(read_lease_status(name_of(status)) == status);
        CHECK(name_of(lease_status::recalled) == "recalled");
        CHECK(name_of(lease_status::closed) == "closed");
        CHECK(name_of(lease_status::lost) == "lost");
        CHECK(read_lease_status("Open") == std::nullopt);
        CHECK(read_lease_status("") == std::nullopt);
    }
}
