#include "harness/cli_program.hpp"
#include "harness/unread.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

namespace gapless::test::cli_notice_follow_test {

/// The blocks of `dhl`, a followed program, and files for it.
struct follower : cli
{
    follower()
    {
        stock();
        std::filesystem::remove(state.path());
    }

    /// `gapless notice follow` with these words, running.
    std::unique_ptr<process> follow(std::vector<std::string> words = {})
    {
        words.insert(words.begin(), {GAPLESS_BIN_DIR "/gapless", "notice", "follow"});
        process_start start{.words = std::move(words)};
        start.environment["GAPLESS_DATABASE_URL"] = database().url();
        start.environment["LC_ALL"] = "C.UTF-8";
        return std::make_unique<process>(start);
    }

    /// What a file has by now; "" where there is none.
    static std::string content(std::string const& path)
    {
        std::ifstream in{path};
        std::ostringstream text;
        text << in.rdbuf();
        return text.str();
    }

    /// Waits until a file has that content.
    static bool comes(std::string const& path, std::string const& expected)
    {
        auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{20};
        while (content(path) != expected && std::chrono::steady_clock::now() < end)
            ::usleep(10'000);
        return content(path) == expected;
    }

    /// A command that adds the seq of each notice to the file.
    std::string note() const { return R"x(sed 's/.*"seq":"\([0-9]*\)".*/\1/' >>)x" + told.path(); }

    /// Has a third notice written: series.paused.
    void pause_series()
    {
        database().run("select gapless.series_change('dhl', '{\"paused\": true}', null, 'anna')");
    }

    temporary_file told{"", ".txt"};
    temporary_file state{"", ".state"};
};

TEST_SUITE("notices/notice_follow_cli")
{
    TEST_CASE_FIXTURE(follower, "notices are printed as they come, until it is interrupted")
    {
        auto const program = follow();
        CHECK(program->wait_for("block 2 (500 to 599) loaded", process::default_patience, true));
        pause_series();
        CHECK(program->wait_for("dhl: paused by ", process::default_patience, true));
        program->send(SIGTERM);
        auto const end = program->finish();
        CHECK(end.code == 130);
        CHECK(end.out.starts_with("SEQ  AT "));
        CHECK(end.out.rfind("SEQ") == 0);
        auto const lines = follow({"-o", "json", "--after", "1"});
        CHECK(lines->wait_for(R"("seq":"3")", process::default_patience, true));
        lines->send(SIGINT);
        auto const text = lines->finish().out;
        CHECK(std::ranges::count(text, '\n') == 2);
        CHECK(json_value::parse(text.substr(0, text.find('\n')))["seq"] == "2");
    }

    TEST_CASE_FIXTURE(follower, "a command gets each notice on its input, from where the state is")
    {
        auto program = follow({"--exec", note(), "--state", state.path()});
        CHECK(comes(told.path(), "1\n2\n"));
        CHECK(comes(state.path(), "2\n"));
        program->send(SIGTERM);
        CHECK(program->finish().out.empty());
        pause_series();
        program = follow({"--exec", note(), "--state", state.path(), "--after", "1"});
        CHECK(comes(told.path(), "1\n2\n3\n"));
        CHECK(comes(state.path(), "3\n"));
    }

    TEST_CASE_FIXTURE(
        follower, "a command runs again until it ends with 0, and no later one before"
    )
    {
        temporary_file const flag{"", ".flag"};
        auto const command = "test -e " + flag.path() + ".gone || { touch " + flag.path() +
                             ".gone; exit 3; }; " + note();
        auto const program = follow({"--exec", command, "--state", state.path()});
        CHECK(program->wait_for("notice 1: the command ended with exit code 3"));
        CHECK(comes(told.path(), "1\n2\n"));
        CHECK(comes(state.path(), "2\n"));
        std::filesystem::remove(flag.path() + ".gone");
        auto const killed = follow({"--exec", "kill -9 $$"});
        CHECK(killed->wait_for("notice 1: the command ended with exit code 137"));
    }

    TEST_CASE_FIXTURE(follower, "a command may leave its input unread, and has the usual signals")
    {
        auto const command = "trap 'echo got >>" + told.path() + "' TERM; kill -TERM $$";
        auto const program = follow({"--exec", command});
        CHECK(comes(told.path(), "got\ngot\n"));
    }

    TEST_CASE_FIXTURE(follower, "who ends it ends the command that runs, and what that started")
    {
        auto const ends = "trap 'echo ended >>" + told.path() + "; exit' TERM; ";
        auto const waits = "echo begun >>" + told.path() + "; while :; do sleep 0.1; done";
        auto const command = ends + '(' + ends + waits + ") & " + waits;
        auto const program = follow({"--exec", command, "--after", "1", "--state", state.path()});
        CHECK(comes(told.path(), "begun\nbegun\n"));
        program->send(SIGTERM);
        CHECK(program->finish().code == 130);
        CHECK(comes(told.path(), "begun\nbegun\nended\nended\n"));
        CHECK(content(state.path()) == "1\n");
    }

    TEST_CASE_FIXTURE(follower, "a state that cannot be read or written stops it beforehand")
    {
        std::ofstream{state.path()} << "many\n";
        auto const broken = follow({"--exec", note(), "--state", state.path()})->finish();
        CHECK(broken.code == 2);
        CHECK(contains(broken.err, "--state: "));
        auto const lost = follow({"--exec", note(), "--state", "/nowhere/state"})->finish();
        CHECK(lost.code == 1);
        CHECK(content(told.path()).empty());
    }

    TEST_CASE_FIXTURE(follower, "a state of no notice goes on behind the last, or with the oldest")
    {
        CHECK(json({"notice", "list"}).size() == 2);
        std::ofstream{state.path()} << "4711\n";
        auto ahead = follow({"--exec", note(), "--state", state.path()});
        CHECK(ahead->wait_for("4711 is no notice of this database, or it has expired; goes on "
                              "behind 2"));
        CHECK(comes(state.path(), "2\n"));
        pause_series();
        CHECK(comes(told.path(), "3\n"));
        CHECK(comes(state.path(), "3\n"));
        ahead.reset();
        database().run("delete from gapless.notice where seq <= 2");
        std::ofstream{state.path()} << "1\n";
        auto const behind = follow({"--exec", note(), "--state", state.path()});
        CHECK(behind->wait_for("1 is no notice of this database, or it has expired; goes on "
                               "behind 2"));
        CHECK(comes(told.path(), "3\n3\n"));
    }

    TEST_CASE_FIXTURE(follower, "who has gone gets the notices that he did not read another time")
    {
        auto const end =
            run_unread(database(), {"notice", "follow", "--after", "1", "--state", state.path()});
        CHECK(end.code == 1);
        CHECK(contains(end.err, "the reader has gone\n  to go on: gapless notice follow --after 1")
        );
        CHECK(content(state.path()) == "1\n");
    }

    TEST_CASE_FIXTURE(follower, "a dry run runs no command and keeps no state")
    {
        auto const program = follow({"-n", "--exec", note(), "--state", state.path()});
        CHECK(program->wait_for(R"("seq":"2")", process::default_patience, true));
        CHECK(content(told.path()).empty());
        CHECK_FALSE(std::filesystem::exists(state.path()));
    }

    TEST_CASE_FIXTURE(
        follower,
        "a database that is away is waited for, from the first look on" *
            doctest::test_suite("night")
    )
    {
        auto const wait = "; while test ! -e " + state.path() + "; do sleep 0.05; done";
        auto const program = follow({"--exec", note() + wait});
        CHECK(comes(told.path(), "1\n"));
        database().run("select pg_terminate_backend(pid) from pg_stat_activity "
                       "where application_name = 'gapless' and datname = current_database()");
        std::ofstream{state.path()} << "go on";
        CHECK(program->wait_for("the database is back"));
        pause_series();
        CHECK(comes(told.path(), "1\n2\n3\n"));
    }

    TEST_CASE_FIXTURE(
        follower,
        "a database that goes away at a COMMIT is waited for, too" * doctest::test_suite("night")
    )
    {
        auto const program = follow({"--exec", note()});
        CHECK(comes(told.path(), "1\n2\n"));
        // Once, at the COMMIT that publishes; a sequence is not rolled back.
        database().run(R"sql(
            create sequence public.cut;
            create function public.cut() returns trigger language plpgsql security definer as $$
            begin
                if nextval('public.cut') = 1 then
                    perform pg_terminate_backend(pg_backend_pid());
                end if;
                return null;
            end $$;
            create constraint trigger cut after update on gapless.notice
                deferrable initially deferred for each row execute function public.cut())sql");
        pause_series();
        CHECK(program->wait_for("the database is back"));
        CHECK(comes(told.path(), "1\n2\n3\n"));
    }
}

}  // namespace gapless::test::cli_notice_follow_test
