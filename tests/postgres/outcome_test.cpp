#include "postgres/connection.hpp"
#include "postgres/outcome.hpp"

#include <doctest/doctest.h>
#include <pqxx/pqxx>

#include <set>
#include <type_traits>

namespace outcome_test {

using namespace gapless;

outcome_kind kind_of(database_error const& error)
{
    return to_outcome(error).kind;
}

trouble_kind trouble_of(std::string const& state)
{
    return to_outcome({.state = state}).why.trouble;
}

std::string text_of(std::string const& state)
{
    return to_outcome({.state = state, .message = "as the server says"}).why.detail;
}

/// A failure without an SQLSTATE, as each libpqxx makes it.
template <class Failure>
Failure made()
{
    if constexpr (std::is_constructible_v<Failure, std::string>)
        return Failure{"x"};
    else
        return Failure{"x", "q", nullptr};
}

TEST_SUITE("postgres/outcome")
{
    TEST_CASE("an SQLSTATE of ours leads to its refusal, any other to none")
    {
        CHECK(refusal_of_sqlstate("GL009") == refusal_kind::series_exhausted);
        CHECK(refusal_of_sqlstate("GL020") == refusal_kind::database_unavailable);
        CHECK(refusal_of_sqlstate("GL018") == refusal_kind::on_lease);
        CHECK(refusal_of_sqlstate("GL021") == refusal_kind::overloaded);
        CHECK(refusal_of_sqlstate("GL022") == refusal_kind::issuance_settled);
        CHECK(refusal_of_sqlstate("GL023") == refusal_kind{});
        CHECK(refusal_of_sqlstate("40001") == refusal_kind{});
        CHECK(refusal_of_sqlstate("") == refusal_kind{});
    }

    TEST_CASE("no two refusals share an SQLSTATE, and every line says what it is")
    {
        std::set<std::string_view> states;
        for (auto const& row : outcome_table())
        {
            CAPTURE(row.state);
            CHECK((row.state.size() == 5 || row.state.size() == 2));
            CHECK(row.means != outcome_kind{});
            CHECK(row.refuses != refusal_kind{});
            // A right that is lacking is trouble to the service, and a refusal to a person.
            auto const troubles = row.means == outcome_kind::trouble || row.state == "42501";
            CHECK((row.trouble != trouble_kind{}) == troubles);
            CHECK(row.index.empty() == row.columns.empty());
            if (row.means == outcome_kind::refused)
                CHECK(states.insert(row.state).second);
        }
    }

    TEST_CASE("what others caused is told apart from a bug of ours")
    {
        CHECK(kind_of({.state = "40001"}) == outcome_kind::conflict);
        CHECK(kind_of({.state = "40P01"}) == outcome_kind::conflict);
        CHECK(kind_of({.state = "55006"}) == outcome_kind::other_instance);
        CHECK(kind_of({.state = "55P03"}) == outcome_kind::locked);
        CHECK(kind_of({.state = "40003"}) == outcome_kind::in_doubt);
        CHECK(kind_of({.state = "22012"}) == outcome_kind::unexpected);
        CHECK(kind_of({.state = ""}) == outcome_kind::unexpected);
    }

    TEST_CASE("the severity is cut off, whatever language the server speaks")
    {
        for (std::string const severity : {"ERROR", "FEHLER", "ОШИБКА"})
            CHECK(
                to_outcome(pqxx::sql_error{severity + ":  it is\nDETAIL:  so", "", "GL014"}, true)
                    .why.detail == "it is"
            );
        CHECK(
            to_outcome(pqxx::failure{"no severity:  here"}, true).why.detail == "no severity:  here"
        );
    }

    TEST_CASE("a unique index is told by its name, or by its columns while it is built anew")
    {
        CHECK(
            kind_of({.state = "23505", .constraint = "key_is_spent_once"}) ==
            outcome_kind::key_spent
        );
        CHECK(
            kind_of(
                {.state = "23505",
                 .constraint = "index_4711",
                 .detail = "Key (key, owner_id)=(x, 1) already exists."}
            ) == outcome_kind::key_spent
        );
        CHECK(
            kind_of({.state = "23505", .constraint = "range_starts_once_ccnew"}) ==
            outcome_kind::number_spent
        );
        CHECK(
            kind_of(
                {.state = "23505",
                 .constraint = "index_4711",
                 .detail = "Key (series_id, turn, ordinal)=(1, 0, 7) already exists."}
            ) == outcome_kind::number_spent
        );
        CHECK(
            kind_of({.state = "23505", .constraint = "series_name_is_taken_once"}) ==
            outcome_kind::duplicate
        );
        // The name of an index alone says nothing without a unique violation.
        CHECK(
            kind_of({.state = "23514", .constraint = "key_is_spent_once"}) ==
            outcome_kind::unexpected
        );
    }

    TEST_CASE("trouble has a kind, its own line before that of its class")
    {
        CHECK(trouble_of("42883") == trouble_kind::not_our_schema);
        CHECK(trouble_of("42P01") == trouble_kind::not_our_schema);
        CHECK(trouble_of("3F000") == trouble_kind::not_our_schema);
        CHECK(trouble_of("26000") == trouble_kind::pooled);
        CHECK(trouble_of("42P05") == trouble_kind::pooled);
        CHECK(trouble_of("25006") == trouble_kind::read_only);
        CHECK(trouble_of("GL020") == trouble_kind::unsafe);
        CHECK(trouble_of("08006") == trouble_kind::disconnected);
        CHECK(text_of("53100") == "the disk of the database is full");
        CHECK(text_of("53200") == "as the server says");
        CHECK(text_of("57P01") == "as the server says");
        CHECK(text_of("26000") == pooled_sessions);
        CHECK(
            text_of("42883") ==
            "the database lacks what this program calls; see: gapless migrate check"
        );
    }

    TEST_CASE("a session is given up for what it would say to everybody")
    {
        for (auto const* state : {"GL020", "25006", "26000"})
            CHECK(is_of_session(trouble_of(state)));
        for (auto const* state : {"42883", "53100", "08006", "GL009", "22012"})
            CHECK_FALSE(is_of_session(trouble_of(state)));
    }

    TEST_CASE("a right that is lacking is a refusal, whoever lacks it")
    {
        auto const lacking = to_outcome({.state = "42501", .message = "permission denied"});
        CHECK(lacking.kind == outcome_kind::refused);
        CHECK(lacking.why.kind == refusal_kind::forbidden);
        CHECK(
            lacking.why.detail == "the database role is not allowed to do this: permission denied"
        );
    }

    TEST_CASE("on the service's own connections a lost grant is trouble, a token's scope is not")
    {
        auto const told = [](std::string const& state) {
            return to_service_refusal(to_outcome({.state = state, .message = "for f()"}).why);
        };
        CHECK(told("42501").kind == refusal_kind::database_unavailable);
        CHECK(told("42501").detail.find("f()") == std::string::npos);  // that is for the log
        CHECK(told("GL004").kind == refusal_kind::forbidden);
        CHECK(told("GL004").detail == "for f()");
    }

    TEST_CASE("libpqxx is understood where it keeps no SQLSTATE")
    {
        auto const kind = [](pqxx::failure const& failure, bool connection_stands = true) {
            return to_outcome(failure, connection_stands).kind;
        };
        CHECK(kind(pqxx::in_doubt_error{"x"}) == outcome_kind::in_doubt);
        CHECK(kind(made<pqxx::statement_completion_unknown>()) == outcome_kind::in_doubt);
        CHECK(kind(made<pqxx::serialization_failure>()) == outcome_kind::conflict);
        CHECK(kind(made<pqxx::deadlock_detected>()) == outcome_kind::conflict);
        CHECK(kind(pqxx::broken_connection{"x"}) == outcome_kind::trouble);
        CHECK(kind(pqxx::sql_error{"x", "q", "22012"}) == outcome_kind::unexpected);
        CHECK(kind(pqxx::sql_error{"x", "q", "22012"}, false) == outcome_kind::trouble);
        auto const denied = to_outcome(
            pqxx::insufficient_privilege{"ERROR:  permission denied\nCONTEXT:  x", "q"}, true
        );
        CHECK(denied.why.kind == refusal_kind::forbidden);
        CHECK(denied.why.detail.ends_with(": permission denied"));
    }
}

}  // namespace outcome_test
