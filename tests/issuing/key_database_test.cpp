#include "base/idempotency_key.hpp"
#include "harness/issuing.hpp"
#include "postgres/columns.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

namespace key_test {

using namespace gapless;
using test::issuing;

std::string hex(idempotency_key const& key)
{
    return to_hexadecimal(key.bytes);
}

TEST_SUITE("issuing/key_database")
{
    TEST_CASE_FIXTURE(issuing, "a key is the same 128 bits in the program and in SQL")
    {
        std::string const keys[] = {
            "a",
            "A",
            "order-4711",
            "with spaces and / signs ~",
            std::string(255, 'k'),
            "0192f0c1-7a5b-7def-8abc-0123456789ab",
            "0192F0C1-7A5B-7DEF-8ABC-0123456789AB",
            "0192f0c17a5b7def8abc0123456789ab",        // no UUID without its hyphens
            "{0192f0c1-7a5b-7def-8abc-0123456789ab}",  // nor in braces
            "0192f0c1-7a5b-7def-8abc-0123456789ag",
            "00000000-0000-0000-0000-000000000000",
        };
        for (auto const& key : keys)
        {
            CAPTURE(key);
            auto const read = read_idempotency_key(key);
            REQUIRE(read.has_value());
            pqxx::work transaction{connection()};
            auto const stored = query_row(
                transaction, "select replace(gapless.key_to_uuid($1)::text, '-', '')", key
            );
            CHECK(stored[0].as<std::string>() == hex(*read));
        }
    }

    TEST_CASE_FIXTURE(issuing, "what is no key to the program is none to SQL")
    {
        for (std::string const key :
             {"",
              "\x7f",
              "a\nb",
              "\xc3\xa4",
              "\t",
              "undefined",
              "null",
              "NULL",
              "nil",
              "None",
              "NaN",
              "(null)",
              "<nil>",
              "[object Object]"})
        {
            CAPTURE(key);
            CHECK(read_idempotency_key(key).has_error());
            CHECK(run("select gapless.key_to_uuid('" + key + "')") == "refused: malformed-request");
        }
        CHECK(read_idempotency_key(std::string(256, 'k')).has_error());
        CHECK(run("select gapless.key_to_uuid(repeat('k', 256))") == "refused: malformed-request");
        CHECK(run("select gapless.key_to_uuid(null)") == "null");
    }

    TEST_CASE_FIXTURE(issuing, "a reference with a control character is none to SQL")
    {
        create_series("s", {{100, 109}});
        for (std::string const reference : {"a\x1b[2J", "a\x7f", "a\xc2\x80", "a\xc2\x9f"})
            CHECK(run("select from gapless.issue('s', reference => '" + reference + "')")
                      .starts_with("refused: "));
        CHECK(run("select number from gapless.issue('s', reference => 'a\xc2\xa0')") == "100");
    }
}

}  // namespace key_test
