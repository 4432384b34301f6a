#include "proof/anchored.hpp"

#include <filesystem>
#include <regex>

namespace gapless::test::cli_metrics_file_test {

namespace fs = std::filesystem;

/// `gapless` and the metrics it leaves behind.
struct measured : anchored
{
    process_end run_measured(std::vector<std::string> words) const
    {
        words.insert(words.end(), {"--metrics-file", metrics.path()});
        return run(std::move(words));
    }

    std::string written() const
    {
        std::ostringstream out;
        out << std::ifstream{metrics.path()}.rdbuf();
        return out.str();
    }

    void write(std::string const& text) const { std::ofstream{metrics.path()} << text; }

    /// The value under a name, as it is written; "none" where there is no such line.
    std::string value(std::string const& name) const
    {
        std::smatch found;
        auto const text = written();
        return std::regex_search(text, found, std::regex{"(?:^|\n)" + name + " ([^\n]*)\n"})
                   ? found[1].str()
                   : "none";
    }

    void damage()
    {
        database().run("set local session_replication_role = replica; delete from gapless.ledger "
                       "where ordinal = 4");
    }

    temporary_file metrics{"", ".prom"};
};

/// As Prometheus reads it; throws for what is no number.
double as_number(std::string const& value)
{
    std::size_t end{};
    auto const number = std::stod(value, &end);
    if (end != value.size())
        throw std::invalid_argument{value};
    return number;
}

auto const nowhere = std::string{"postgresql://nobody@127.0.0.1:1/nowhere"};

TEST_SUITE("cli/metrics_file_cli")
{
    TEST_CASE("a verification without findings is the last success")
    {
        measured gapless;
        auto const before = static_cast<double>(std::time(nullptr));
        REQUIRE(gapless.run_measured({"verify", "--chain"}).code == 0);
        auto const success = gapless.value("gapless_verify_last_success_timestamp_seconds");
        CHECK(as_number(success) >= before);
        CHECK(as_number(success) <= static_cast<double>(std::time(nullptr)));
        CHECK(gapless.value("gapless_verify_last_run_timestamp_seconds") == success);
        CHECK(gapless.value("gapless_verify_exit_code") == "0");
        CHECK(gapless.value("gapless_verify_findings") == "0");
        CHECK(as_number(gapless.value("gapless_verify_duration_seconds")) >= 0);
        // Everybody may read it, and nothing is left beside it.
        auto const rights = fs::status(gapless.metrics.path()).permissions();
        CHECK((rights & fs::perms::others_read) == fs::perms::others_read);
        CHECK_FALSE(fs::exists(gapless.metrics.path() + ".new"));
    }

    TEST_CASE("findings are counted, and the last success stays where it is")
    {
        measured gapless;
        gapless.issue("3");
        gapless.issue("2");
        gapless.write("gapless_verify_last_success_timestamp_seconds 1234\n");
        gapless.damage();
        CHECK(gapless.run_measured({"verify"}).code == 6);
        CHECK(gapless.value("gapless_verify_last_success_timestamp_seconds") == "1234");
        CHECK(as_number(gapless.value("gapless_verify_last_run_timestamp_seconds")) > 1234);
        CHECK(gapless.value("gapless_verify_exit_code") == "6");
        CHECK(as_number(gapless.value("gapless_verify_findings")) > 0);
    }

    TEST_CASE("a run that fails moves neither the last success nor the findings")
    {
        measured gapless;
        gapless.write("gapless_verify_last_success_timestamp_seconds 1234\n"
                      "gapless_verify_findings 3\n");
        auto const end = run_gapless({"verify", "--metrics-file", gapless.metrics.path()}, nowhere);
        CHECK(end.code == 7);
        CHECK(gapless.value("gapless_verify_last_success_timestamp_seconds") == "1234");
        CHECK(gapless.value("gapless_verify_findings") == "3");
        CHECK(gapless.value("gapless_verify_exit_code") == "7");
    }

    TEST_CASE("without a success there is none, whatever the file held")
    {
        measured gapless;
        gapless.write("gapless_verify_last_success_timestamp_seconds soon\n");
        run_gapless({"verify", "--metrics-file", gapless.metrics.path()}, nowhere);
        CHECK(gapless.value("gapless_verify_last_success_timestamp_seconds") == "0");
        CHECK(gapless.value("gapless_verify_findings") == "none");
    }

    TEST_CASE("anchors that cannot be written are no success")
    {
        measured gapless;
        REQUIRE(gapless.run_measured({"anchor", "--file", gapless.file.path()}).code == 0);
        auto const success = gapless.value("gapless_anchor_last_success_timestamp_seconds");
        CHECK(as_number(success) > 0);
        CHECK(gapless.value("gapless_anchor_findings") == "none");
        gapless.write("gapless_anchor_last_success_timestamp_seconds 1234\n");
        CHECK(gapless.run_measured({"anchor", "--file", "/dev/full"}).code == 1);
        CHECK(gapless.value("gapless_anchor_last_success_timestamp_seconds") == "1234");
        CHECK(gapless.value("gapless_anchor_exit_code") == "1");
    }

    TEST_CASE("metrics need a file with a name")
    {
        auto const end = run_gapless({"verify", "--metrics-file", "-"}, "host=/nowhere");
        CHECK(end.code == 2);
        CHECK(contains(end.err, "--metrics-file: - is no file"));
    }

    TEST_CASE("a rehearsal and a single series leave no metrics")
    {
        measured gapless;
        CHECK(gapless.run_measured({"verify", "-n"}).code == 0);
        CHECK(gapless.run_measured({"verify", "dhl"}).code == 2);
        CHECK(gapless.written().empty());
    }

    TEST_CASE("metrics that cannot be written are a failure, and hide no findings")
    {
        measured gapless;
        std::string const file = "/nowhere/gapless.prom";
        auto end = gapless.run({"verify", "--metrics-file", file});
        CHECK(end.code == 1);
        CHECK(contains(end.err, "cannot write " + file));
        gapless.issue("3");
        gapless.issue("2");
        gapless.damage();
        end = gapless.run({"verify", "--metrics-file", file});
        CHECK(end.code == 6);
        CHECK(contains(end.err, "cannot write " + file));
    }
}

}  // namespace gapless::test::cli_metrics_file_test
