#include "harness/database.hpp"
#include "issuing/issue_statements.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace issue_statements_test {

using namespace gapless;

/// "name type", by name.
template <class Things>
std::string listed(Things const& things)
{
    std::vector<std::string> all;
    for (auto const& each : things)
        all.push_back(std::string{each.name} + ' ' + std::to_string(each.type));
    std::ranges::sort(all);
    std::string text;
    for (auto const& each : all)
        text += (text.empty() ? "" : ", ") + each;
    return text;
}

/// "'name', …"
std::string names_of(issue_statement const& statement)
{
    std::string names;
    for (auto const& parameter : statement.parameters)
        names += (names.empty() ? "'" : ", '") + std::string{parameter.name} + '\'';
    return names;
}

/// What pg_proc says of a function: "name type" of those of its arguments, by name.
std::string declared(std::string_view function, std::string const& which)
{
    return "select string_agg(a.name || ' ' || a.type, ', ' order by a.name collate \"C\") "
           "from pg_proc p cross join lateral unnest(p.proargnames, p.proallargtypes, "
           "p.proargmodes) with ordinality as a (name, type, mode, place) "
           "where p.oid = '" +
           std::string{function} + "'::regproc and " + which;
}

TEST_SUITE("issuing/issue_statements_database")
{
    TEST_CASE_FIXTURE(
        test::database, "a function takes what the connection sends, and nothing else"
    )
    {
        for (auto const& statement : issue_statements())
        {
            CAPTURE(statement.function);
            // Others have a default.
            auto const taken = "a.mode = 'i' and (a.place <= p.pronargs - p.pronargdefaults or "
                               "a.name in (" +
                               names_of(statement) + "))";
            CHECK(run(declared(statement.function, taken)) == listed(statement.parameters));
        }
    }

    TEST_CASE_FIXTURE(
        test::database, "a function returns what the connection reads, and nothing else"
    )
    {
        for (auto const& statement : issue_statements())
        {
            CAPTURE(statement.function);
            CHECK(run(declared(statement.function, "a.mode = 't'")) == listed(statement.columns));
        }
    }

    TEST_CASE("parameters are named in the text, and literals are not sent")
    {
        auto const& plain = issue_statements().front();
        CHECK(
            to_text(plain) ==
            "select ordinal, serial, block_id, epoch, issued_at from gapless.issue_plain("
            "p_series_id => $1, p_offsets => $2, p_counts => $3, p_owners => $4, p_keys => $5, "
            "p_references => $6, p_serializable => true, p_holds => $7, p_alone => $8, "
            "p_known_epoch => $9, p_known_counter => $10, p_known_ordinal => $11, "
            "p_known_turn => $12)"
        );
        CHECK(sent_types(plain).size() == 12);
    }

    TEST_CASE("a batch is for the statement of its kind, which takes as much as it declares")
    {
        issue_request const one{.series_id = 1, .owner_id = 1};
        issue_request const other{.series_id = 2, .owner_id = 1};
        batch_to_issue const plain{.series_id = 1, .requests = {&one}};
        batch_to_issue const several{.requests = {&one, &other}};
        batch_to_issue const looked_up{.series_id = 1, .look_up = true, .requests = {&one}};
        std::string names;
        for (auto const* batch : {&plain, &several, &looked_up})
        {
            auto const& statement = statement_for(*batch);
            names += std::string{statement.name} + ' ';
            binary_parameters parameters;
            fill_parameters(parameters, statement, *batch);
            CHECK(static_cast<std::size_t>(parameters.count()) == sent_types(statement).size());
        }
        CHECK(names == "plain many requests ");
    }
}

}  // namespace issue_statements_test
