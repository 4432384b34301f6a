#pragma once

#include "harness/cli_program.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

namespace gapless::test {

/// `gapless` with a series, and a file that anchors are kept in.
struct anchored : cli
{
    anchored() { stock(); }

    void issue(std::string const& count)
    {
        database().run("select count(*) from gapless.issue('dhl', " + count + ')');
    }

    void anchor(std::vector<std::string> words = {}) const
    {
        words.insert(words.begin(), {"anchor", "--file", file.path()});
        REQUIRE(code(std::move(words)) == 0);
    }

    process_end verify(std::vector<std::string> words = {}) const
    {
        words.insert(words.begin(), {"verify", "--anchors", file.path(), "-o", "json"});
        return run(std::move(words));
    }

    /// verify's findings; "gapless" when there is none and the exit code says so, too.
    std::string found(std::vector<std::string> words = {}) const
    {
        auto const end = verify(std::move(words));
        if (end.code == 0)
            return "gapless";
        REQUIRE_MESSAGE(end.code == 6, end.err);
        auto const findings = json_value::parse(end.out)["findings"];
        REQUIRE(!findings.empty());
        std::string all;
        for (auto const& one : findings.elements())
            all += one["series"].text() + ": " + one["what"].text() + '\n';
        return all;
    }

    /// Makes `back` a copy of this moment, which stays behind.
    void copy_to(test::database& back)
    {
        back.end_connection();
        database().end_connection();
        pqxx::connection admin{server_url()};
        pqxx::nontransaction plain{admin};
        execute(plain, "drop database " + back.name() + " with (force)");
        execute(plain, "create database " + back.name() + " template " + database().name());
    }

    std::string text() const
    {
        std::ostringstream out;
        out << std::ifstream{file.path()}.rdbuf();
        return out.str();
    }

    void set_text(std::string const& text) const { std::ofstream{file.path()} << text; }

    temporary_file file{"", ".jsonl"};
};

}  // namespace gapless::test
