#pragma once

#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

#include <span>

namespace gapless::test {

/// What a superuser may do, and what verify must say about it.
struct tampering
{
    std::string sql;
    std::string finding;  // must be part of what verify says
};

inline bool has(std::string const& text, std::string const& part)
{
    return text.find(part) != std::string::npos;
}

/// Series 1 after a life of its own: what left stands behind each block.
///
///   block 1  100-104  exhausted  ordinals 1-3, 4-5
///   block 2  200-209  closed     6-7, 8, 9; closed at 204
///   block 3  300-301  exhausted  10-11
///   block 4  400-499  open       12, 13-14, 15-16, 17; goes on at ordinal 18, serial 406
///   block 5  600-699  queued
///   block 6  700-799  closed before it was opened
struct life : issuing
{
    life()
    {
        create_series(
            "s", {{100, 104}, {200, 209}, {300, 301}, {400, 499}, {600, 699}, {700, 799}}
        );
        issue("s", {"a", 3});
        issue("s", {"b", 4});
        issue("s", {"c"});
        issue("s", {"d"});
        run("select gapless.block_close(2, 'wet', 'me')");
        issue("s", {"e", 3});
        issue("s", {"f", 2});
        issue("s", {"g", 2});
        issue("s", {"h"});
        run("select gapless.block_close(6, 'wet', 'me')");
        run("alter table gapless.block drop constraint closed_serial_is_in_the_block, drop "
            "constraint opened_block_has_an_ordinal, "
            "drop constraint block_runs_upwards, drop constraint closed_block_says_where_and_why");
        run("delete from gapless.guard g where g.place = 'block' and not exists (select from "
            "gapless.guards() p where (p.kind, p.place, p.name) = (g.kind, g.place, g.name))");
    }

    /// What verify finds after a superuser did that with every trigger off; nothing of it stays.
    std::string findings_after(std::string const& tampering)
    {
        std::string const tables[] = {"ledger", "block", "counter", "issuance"};
        pqxx::work transaction{connection()};
        for (auto const& table : tables)
            execute(transaction, "alter table gapless." + table + " disable trigger all");
        execute(transaction, tampering);
        for (auto const& table : tables)
            execute(transaction, "alter table gapless." + table + " enable trigger all");
        std::string text;
        for (auto const& row : query_rows(transaction, "select at, what from gapless.verify()"))
            text += row[0].as<std::string>() + ": " + row[1].as<std::string>() + "; ";
        return text.empty() ? "gapless" : text;
    }

    void check_found(std::span<tampering const> cases)
    {
        for (auto const& [sql, finding] : cases)
        {
            auto const found = findings_after(sql);
            CHECK_MESSAGE(has(found, finding), sql, " -> ", found);
        }
    }
};

}  // namespace gapless::test
