#include "harness/cli_program.hpp"
#include "harness/database.hpp"
#include "harness/unread.hpp"
#include "postgres/query.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <doctest/doctest.h>

#include <array>
#include <poll.h>
#include <thread>

namespace gapless::test::cli_exit_code_test {

using boost::asio::ip::tcp;

/// Until a session of the database waits for a lock.
void wait_for_blocked(database const& on)
{
    pqxx::connection watcher{on.url()};
    auto const waits = [&] {
        pqxx::nontransaction plain{watcher};
        return query_value<int>(
            plain,
            "select count(*) from pg_stat_activity where datname = current_database() "
            "and wait_event_type = 'Lock'"
        );
    };
    for (int n = 0; n < 1000 && waits() == 0; ++n)
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
}

/// Passes one connection on to the server; later ones are made and never answered, as by a host
/// that hangs.
class one_connection
{
public:
    explicit one_connection(pqxx::transaction_base& server)
        : server_{
              boost::asio::ip::address_v4::loopback(),
              static_cast<std::uint16_t>(query_value<int>(server, "select inet_server_port()"))}
    {
        up_ = std::thread{[this] {
            near_ = listens_.accept();
            far_.connect(server_);
            down_ = std::thread{[this] { copy(far_, near_); }};
            copy(near_, far_);
        }};
    }
    ~one_connection()
    {
        for (auto* each : {&near_, &far_})
            each->shutdown(tcp::socket::shutdown_both, ignored_);
        up_.join();
        down_.join();
    }
    one_connection(one_connection const&) = delete;
    one_connection& operator=(one_connection const&) = delete;

    std::string port() const { return std::to_string(listens_.local_endpoint().port()); }

    void wait_for_second() const
    {
        pollfd arrives{const_cast<tcp::acceptor&>(listens_).native_handle(), POLLIN, 0};
        REQUIRE(::poll(&arrives, 1, 30'000) == 1);
    }

private:
    static void copy(tcp::socket& from, tcp::socket& to)
    {
        boost::system::error_code failed;
        std::array<char, 4'096> piece;
        while (auto const size = from.read_some(boost::asio::buffer(piece), failed))
            boost::asio::write(to, boost::asio::buffer(piece, size), failed);
        to.shutdown(tcp::socket::shutdown_both, failed);
    }

    boost::asio::io_context io_;
    tcp::endpoint server_;
    tcp::acceptor listens_{io_, {boost::asio::ip::address_v4::loopback(), 0}};
    tcp::socket near_{io_};
    tcp::socket far_{io_};
    boost::system::error_code ignored_;
    std::thread up_;
    std::thread down_;
};

/// Where `gapless issue dhl` waits until `blocker` ends.
struct blocked : cli
{
    blocked() { execute(blocker, "select from gapless.counter for update"); }

    process issue(std::string const& url, std::string const& before = {}) const
    {
        return process{
            {.words = {"/bin/bash", "-c", before + "exec " GAPLESS_BIN_DIR "/gapless issue dhl"},
             .environment = {{"GAPLESS_DATABASE_URL", url}}}};
    }

    pqxx::connection& stocked()
    {
        stock();
        return database().connection();
    }

    pqxx::work blocker{stocked()};
};

TEST_SUITE("cli/exit_code_cli")
{
    TEST_CASE("1: a database without the schema, with the way out")
    {
        auto const end = run_gapless({"series", "list"}, server_url());
        CHECK(end.code == 1);
        CHECK(contains(end.err, "gapless migrate up"));
    }

    TEST_CASE("1: a long list whose reader has gone")
    {
        cli gapless;
        gapless.database().create_series("long", {{1, 100'000}});
        gapless.database().run("select count(*) from gapless.issue('long', 50000)");
        auto const end = run_program(
            {.words =
                 {"/bin/bash",
                  "-c",
                  "\"$1\" --database-url \"$2\" ledger export long | head -n 1; "
                  "exit ${PIPESTATUS[0]}",
                  "bash",
                  GAPLESS_BIN_DIR "/gapless",
                  gapless.database().url()}}
        );
        CHECK(end.code == 1);
        CHECK(contains(end.err, "the reader has gone; the list is not complete"));
    }

    TEST_CASE("1: a change whose answer cannot be written, which was made all the same")
    {
        cli gapless;
        gapless.stock();
        auto const told = [&](std::vector<std::string> words) {
            auto const end = run_unread(gapless.database(), std::move(words));
            return std::to_string(end.code) + ' ' + end.err;
        };
        std::string const unread{"1 gapless: cannot write the answer: its reader has gone\n"};
        auto const made = unread + "  the command was carried out; only its answer is missing\n";
        CHECK(told({"token", "create", "--name", "t", "--scope", "read"}) == made);
        CHECK(told({"block", "load", "dhl", "700", "799", "--yes"}) == made);
        temporary_file const blocks{"first,last\n800,899\n"};
        CHECK(
            told({"block", "load", "dhl", "--file", blocks.path(), "--yes", "-o", "csv"}) == made
        );
        CHECK(told({"series", "pause", "dhl", "-n"}) == unread);
        CHECK(told({"series", "show", "dhl"}) == unread);
        CHECK(told({"series", "list"}) == "0 ");
    }

    TEST_CASE(
        "1: a long table whose reader has gone is not read to its end" *
        doctest::test_suite("night")
    )
    {
        cli gapless;
        gapless.stock();
        gapless.database().run(
            "select count(*) from generate_series(1, 99) n, gapless.issue('dhl', 1, 'k' || n)"
        );
        CHECK(run_unread(gapless.database(), {"issuance", "list", "dhl"}).code == 0);
        gapless.database().create_series("long", {{1'000, 5'000}});
        gapless.database().run(
            "select count(*) from generate_series(1, 1001) n, gapless.issue('long', 1, 'l' || n)"
        );
        auto const end = run_unread(gapless.database(), {"issuance", "list", "long"});
        CHECK(end.code == 1);
        CHECK(contains(end.err, "the reader has gone; the list is not complete"));
    }

    TEST_CASE("2: what the command line does not know")
    {
        for (auto const& words : std::vector<std::vector<std::string>>{
                 {},
                 {"nonsense"},
                 {"--nonsense"},
                 {"series"},
                 {"series", "list", "--nonsense"},
                 {"series", "list", "-o", "xml"},
                 {"series", "show"},
                 {"series", "show", "a", "b"},
                 {"series", "create", "a", "--carrier", "c", "--on-release", "x"},
                 {"completion", "tcsh"}})
        {
            auto const end = run_gapless(words, "host=/nowhere");
            CHECK_MESSAGE(end.code == 2, end.err);
            CHECK(end.out.empty());
            CHECK(end.err.starts_with("gapless: "));
            if (!words.empty() && words.back() != "show" && words.back() != "series")
                CHECK(contains(end.err, words.back()));
        }
        auto const cut = run_gapless({"series", "create", "a", "--carrier"}, "host=/nowhere");
        CHECK(cut.code == 2);
        CHECK(cut.err.starts_with("gapless: --carrier needs a value\n"));
        for (std::vector<std::string> words :
             {std::vector<std::string>{"verify"},
              {"token", "create", "--name", "x", "--scope", "issue", "--expires"},
              {"block", "load", "s", "1", "9", "--issued-until"},
              {"ledger", "export", "s", "--part"},
              {"notice", "list", "--series"}})
        {
            words.emplace_back();
            auto const empty = run_gapless(words, "host=/nowhere");
            CHECK_MESSAGE(empty.code == 2, empty.err);
            CHECK(contains(empty.err, "the value is empty; leave it out instead"));
        }
    }

    TEST_CASE("2: a switch with a value, which could mean the opposite")
    {
        for (std::string const word : {"--dry-run=-1", "--dry-run=false", "--yes=0"})
        {
            auto const end = run_gapless({"issue", "dhl", word}, "host=/nowhere");
            CHECK(end.code == 2);
            CHECK(contains(end.err, word.substr(0, word.find('=')) + " takes no value"));
        }
    }

    TEST_CASE("2: words that are no text")
    {
        cli const gapless;
        auto const end = gapless.run({"issue", "dhl\xff"});
        CHECK(end.code == 2);
        CHECK(contains(end.err, "text has to be UTF-8"));
    }

    TEST_CASE("0: what was done is done although nobody can be told about it")
    {
        cli gapless;
        gapless.stock();
        for (std::string const closed : {"2>&-", "2>/dev/full"})
        {
            auto const end = run_program(
                {.words =
                     {"/bin/bash",
                      "-c",
                      "\"$@\" " + closed,
                      "bash",
                      GAPLESS_BIN_DIR "/gapless",
                      "--database-url",
                      gapless.database().url(),
                      "verify"}}
            );
            CHECK_MESSAGE(end.code == 0, closed);
        }
    }

    TEST_CASE("3: a series that is not there")
    {
        cli gapless;
        for (auto const& words : std::vector<std::vector<std::string>>{
                 {"series", "show", "a"},
                 {"issue", "a"},
                 {"verify", "a"},
                 {"token", "create", "--name", "x", "--scope", "issue", "--series", "a"}})
            CHECK(gapless.code(words) == 3);
    }

    TEST_CASE("4: a role that may not")
    {
        cli gapless;
        gapless.stock();
        auto const role = "stranger_" + gapless.database().name();
        gapless.database().run("create role " + role + " login password 'secret'");
        auto const end = run_gapless({"issue", "dhl"}, gapless.database().url_as(role, "secret"));
        gapless.database().run("drop role " + role);
        CHECK(end.code == 4);
        CHECK(contains(end.err, "gapless_admin"));
    }

    TEST_CASE("5: a conflict with the state of things")
    {
        cli gapless;
        gapless.stock();
        CHECK(gapless.code({"series", "create", "dhl", "--carrier", "dhl"}) == 5);
        CHECK(gapless.code({"block", "load", "dhl", "100", "100"}) == 5);
    }

    TEST_CASE("6: verify finds something")
    {
        cli gapless;
        gapless.stock();
        gapless.database().run("select count(*) from gapless.issue('dhl', 3)");
        CHECK(gapless.code({"verify"}) == 0);
        gapless.database().run(
            "set session_replication_role = replica; update gapless.ledger set count = 2"
        );
        auto const end = gapless.run({"verify", "-o", "json"});
        CHECK(end.code == 6);
        auto const answer = json_value::parse(end.out);
        CHECK_FALSE(answer["findings"].empty());
        CHECK(answer["findings"][0]["series"] == "dhl");
        CHECK(answer["checked"]["blocks"] == "2");
    }

    TEST_CASE("7: no database answers, the message names the place and never the password")
    {
        auto const end = run_gapless({"series", "list"}, "postgresql://me:hunter2@127.0.0.1:1/x");
        CHECK(end.code == 7);
        CHECK(contains(end.err, "127.0.0.1"));
        CHECK(contains(end.err, "port 1"));
        CHECK_FALSE(contains(end.err, "hunter2"));
    }

    TEST_CASE_FIXTURE(blocked, "130: an interrupted command changes nothing and says so")
    {
        auto program = issue(database().url());
        wait_for_blocked(database());
        program.send(SIGINT);
        auto const end = program.finish();
        blocker.abort();
        CHECK(end.code == 130);
        CHECK(end.out.empty());
        CHECK(contains(end.err, "interrupted; nothing was changed"));
        CHECK(run({"issue", "dhl"}).out == "100\n");
    }

    TEST_CASE_FIXTURE(blocked, "130: a second signal ends a command whose server is silent")
    {
        one_connection const relay{blocker};
        auto program = issue(connection_string(database().url(), {{"port", relay.port()}}));
        wait_for_blocked(database());
        program.send(SIGINT);
        // The first has begun to cancel when somebody asks for a second connection.
        relay.wait_for_second();
        program.send(SIGTERM);
        auto const end = program.finish();
        blocker.abort();
        CHECK(end.code == 130);
        CHECK(contains(end.err, "interrupted twice; what was under way is perhaps done"));
    }

    TEST_CASE_FIXTURE(blocked, "a signal that the caller ignores is no interruption")
    {
        auto program = issue(database().url(), "trap '' INT; ");
        wait_for_blocked(database());
        program.send(SIGINT);
        blocker.abort();
        auto const end = program.finish();
        CHECK(end.code == 0);
        CHECK(end.out == "100\n");
    }
}

}  // namespace gapless::test::cli_exit_code_test
