#include "base/idempotency_key.hpp"

#include <boost/algorithm/hex.hpp>
#include <doctest/doctest.h>

#include <iterator>
#include <string>

namespace idempotency_key_test {

using namespace gapless;

/// The stored bytes as hexadecimal digits, or "refused: <detail>".
std::string stored(std::string const& header)
{
    auto const key = read_idempotency_key(header);
    if (key.has_error())
        return "refused: " + key.error().detail;
    std::string hex;
    boost::algorithm::hex_lower(key->bytes, std::back_inserter(hex));
    return hex;
}

TEST_SUITE("base/idempotency_key")
{
    TEST_CASE("a UUID is kept as it is, in either case of letters")
    {
        CHECK(stored("0190a5c1-7b2e-7cc3-98c4-dc0c0c07398f") == "0190a5c17b2e7cc398c4dc0c0c07398f");
        CHECK(stored("0190A5C1-7B2E-7CC3-98C4-DC0C0C07398F") == "0190a5c17b2e7cc398c4dc0c0c07398f");
    }

    TEST_CASE("any other key is the first half of its SHA-256")
    {
        // printf order-4711 | sha256sum
        CHECK(stored("order-4711") == "173d0ddbff034193face7ce60d3f58b4");
        CHECK(
            stored("0190a5c1-7b2e-7cc3-98c4-dc0c0c07398") !=
            stored("0190a5c1-7b2e-7cc3-98c4-dc0c0c07398f")
        );
        CHECK(stored("0190a5c1-7b2e-7cc3-98c4xdc0c0c07398f").size() == 32);
        CHECK(
            stored("0190a5c1-7b2e-7cc3-98c4xdc0c0c07398f") !=
            stored("0190a5c1-7b2e-7cc3-98c4-dc0c0c07398f")
        );
    }

    TEST_CASE("keys that differ in their last character are two keys")
    {
        CHECK(stored(std::string(254, 'k') + '1') != stored(std::string(254, 'k') + '2'));
    }

    TEST_CASE("quoted and bare spellings are the same key")
    {
        CHECK(stored("\"order-4711\"") == stored("order-4711"));
        CHECK(stored(R"("a\"b\\c")") == stored(R"(a"b\c)"));
    }

    TEST_CASE("has 1 to 255 printable ASCII characters")
    {
        CHECK(stored(std::string(255, 'k')).size() == 32);
        CHECK(
            stored(std::string(256, 'k')) ==
            "refused: Idempotency-Key: has 256 characters, allowed are 255"
        );
        CHECK(
            stored("") == "refused: Idempotency-Key: is empty; give each request a name of its own"
        );
        CHECK(
            stored("\"\"") ==
            "refused: Idempotency-Key: is empty; give each request a name of its own"
        );
        CHECK(
            stored("k\xc3\xa4") == "refused: Idempotency-Key: only printable ASCII characters are "
                                   "allowed, such as a UUID or order-4711/1"
        );
        CHECK(
            stored("undefined") ==
            "refused: Idempotency-Key: is 'undefined', which a program writes for a missing value; "
            "give each request a name of its own"
        );
        CHECK(stored("\"[object Object]\"").starts_with("refused: "));
        CHECK(stored("undefined-1").size() == 32);
        CHECK(
            stored("a\tb") == "refused: Idempotency-Key: only printable ASCII characters are "
                              "allowed, such as a UUID or order-4711/1"
        );
    }

    TEST_CASE("refuses one key several times, which a proxy folded; commas inside a key are its own"
    )
    {
        for (std::string const header :
             {"k, k",
              "k,k",
              "k ,\tk",
              "k, k, k",
              "a,b, a,b",
              R"("k", "k")",
              R"("k, k")",
              ",",
              ", ,",
              "order-4711/1, order-4711/1"})
        {
            CAPTURE(header);
            CHECK(stored(header).starts_with("refused: Idempotency-Key: is the same key several"));
        }
        for (std::string const header : {"k, l", "k, kk", "kk, k", "k, k, l", "k,", ",k", "k;k"})
        {
            CAPTURE(header);
            CHECK(stored(header).size() == 32);
        }
        CHECK(stored(std::string(255, 'k') + ", " + std::string(255, 'k')).starts_with("refused: ")
        );
    }

    TEST_CASE("refuses quotes that do not fit together")
    {
        for (auto const* header : {"\"", "\"a", "\"a\"b\"", "\"a\\\"", "\"a\\b\""})
            CHECK(
                stored(header) == "refused: Idempotency-Key: begins with a quote, so it has to end "
                                  "with one; inside, write \\\" and \\\\"
            );
    }
}

}  // namespace idempotency_key_test
