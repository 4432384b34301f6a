#include "harness/database.hpp"
#include "issuing/batch_protocol.hpp"

#include <doctest/doctest.h>

namespace batch_protocol_test {

using namespace gapless;

struct protocol : test::database
{
    /// What becomes of a batch of so many requests that the server refuses like that.
    batch_end refused(std::string const& error, bool look_up, std::size_t requests)
    {
        issue_request const one;
        batch_to_issue batch{.look_up = look_up};
        batch.requests.assign(requests, &one);
        std::unique_ptr<PGconn, decltype(&PQfinish)> const wire{
            PQconnectdb(url().c_str()), PQfinish};
        auto const text = "do $$ begin raise exception using errcode = " + error + "; end $$";
        result_pointer const said{PQexec(wire.get(), text.c_str())};
        batch_end end;
        read_error(batch, said.get(), end);
        return end;
    }
};

TEST_SUITE("issuing/batch_protocol_database")
{
    TEST_CASE_FIXTURE(protocol, "a batch that hits a spent key says whose key may have been spent")
    {
        std::string const key{"'23505', constraint = 'key_is_spent_once'"};
        auto end = refused(key, false, 2);
        CHECK(end.fate == batch_fate::not_plain);
        CHECK(end.key_spent);
        CHECK(refused("'23505', constraint = 'mine'", false, 2).key_spent);
        end = refused(key, true, 1);
        CHECK(end.fate == batch_fate::conflict);
        CHECK(end.key_spent);
        CHECK_FALSE(refused(key, true, 2).key_spent);
        CHECK_FALSE(refused("'40001'", false, 1).key_spent);
    }

    TEST_CASE_FIXTURE(protocol, "one request may be to blame for an error, but not for trouble")
    {
        auto const end = refused("'22003', message = 'a bug'", true, 2);
        CHECK(end.unexpected);
        CHECK(end.why.detail.find("a bug") == std::string::npos);
        CHECK_FALSE(refused("'53100'", true, 2).unexpected);
    }
}

}  // namespace batch_protocol_test
