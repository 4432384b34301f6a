#include "base/contract.hpp"
#include "issuing/issuance_id.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace issuance_id_test {

using namespace gapless;

std::string text_of(issuance_id const& id)
{
    std::string text;
    append_issuance_id(text, id);
    return text;
}

TEST_SUITE("issuing/issuance_id")
{
    TEST_CASE("is decimal digits, and reads back as what it was")
    {
        CHECK(text_of({1, 0, 1042}) == "111042");
        CHECK(text_of({1, 2, 1042}) == "912111042");
        for (auto const series : {1, 9, 10, 12'345, 99'999'999})
            for (auto const turn : {0, 1, 9, 10, 32'767})
                for (auto const ordinal :
                     {std::int64_t{1},
                      std::int64_t{250'001},
                      std::numeric_limits<std::int64_t>::max()})
                {
                    issuance_id const id{series, static_cast<std::int16_t>(turn), ordinal};
                    CHECK(read_issuance_id(text_of(id)) == id);
                }
    }

    TEST_CASE("what was drawn from a reserve says so instead of its turn")
    {
        issuance_id const drawn{1, 0, 1042, true};
        CHECK(text_of(drawn) == "90111042");
        CHECK(read_issuance_id("90111042") == drawn);
        CHECK(text_of({99'999'999, 7, 250'001, true}) == "90899999999250001");
        CHECK(read_issuance_id("111042") == issuance_id{1, 0, 1042, false});
    }

    TEST_CASE("no two issuances share a text")
    {
        CHECK(text_of({1, 0, 11}) != text_of({1, 0, 11, true}));
        CHECK(text_of({1, 0, 11}) != text_of({11, 0, 1}));
        CHECK(text_of({1, 1, 1}) != text_of({1, 0, 1}));
    }

    TEST_CASE("a text that no issuance has is none")
    {
        for (auto const* text :
             {"",          "0",          "1",   "11",   "110", "1101", "201",
              "9",         "91",         "911", "9111", "90",  "9011", "90110",
              "900111042", "9090111042", "x",   "11x",  "-1",  "11 1", "1199999999999999999999",
              "810000000"})
            CHECK_MESSAGE(read_issuance_id(text) == std::nullopt, text);
    }

    TEST_CASE("a series beyond its eight digits breaks the promise instead of the id")
    {
        CHECK_THROWS_AS(text_of({100'000'000, 0, 1}), contract_violation);
    }
}

}  // namespace issuance_id_test
