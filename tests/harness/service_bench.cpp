#include "harness/service_bench.hpp"

#include "harness/new_token.hpp"
#include "postgres/query.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace gapless::test {

namespace {

/// Writes a history into a new file, and returns its name.
std::filesystem::path write(history const& seen)
{
    auto file = std::filesystem::temp_directory_path() /
                ("gapless-history-" + std::to_string(::getpid()) + ".jsonl");
    std::ofstream out{file};
    seen.write(out);
    return file;
}

}  // namespace

void service_bench::start_instances(std::size_t count, std::vector<std::string> const& options)
{
    while (instances_.size() < count)
        instances_.push_back(std::make_unique<service_process>(service_url_, options));
    std::vector<std::string> addresses;
    for (auto const& started : instances_)
    {
        started->wait_ready();
        addresses.push_back(started->address());
    }
    addresses_ = std::make_unique<instance_list>(addresses);
}

void service_bench::create_series(std::string const& name, std::vector<block_ends> const& blocks)
{
    pqxx::connection connection{url_};
    pqxx::work transaction{connection};
    execute(
        transaction,
        "select gapless.series_create($1, $1, null, null, null, null, null, null, 'test')",
        name
    );
    for (auto const& ends : blocks)
        execute(
            transaction,
            "select gapless.block_load($1, $2, $3, null, null, null, 'test')",
            name,
            ends.first,
            ends.last
        );
    transaction.commit();
}

credential service_bench::create_token(std::string const& client, token_wish const& wish) const
{
    wanted_token wanted;
    wanted.name = client;
    wanted.scopes = wish.scopes;
    wanted.series = wish.series;
    wanted.rate = wish.rate;
    if (wish.lives)
        wanted.expires_at = std::chrono::time_point_cast<std::chrono::microseconds>(
            std::chrono::system_clock::now() + *wish.lives
        );
    pqxx::connection connection{url_};
    pqxx::work transaction{connection};
    auto const made = make_token(transaction, wanted);
    transaction.commit();
    return {client, made.text};
}

std::string service_bench::run(std::string const& sql) const
{
    pqxx::connection connection{url_};
    return test::run(connection, sql);
}

std::string service_bench::verdict() const
{
    auto const file = write(seen_);
    auto told = run_program(
        {.words =
             {GAPLESS_SOURCE_DIR "/tools/history_check", file.string(), "--database-url", url_}}
    );
    if (told.code != 0)
        return told.out + told.err + "the history is in " + file.string();
    std::filesystem::remove(file);
    while (told.out.ends_with('\n'))
        told.out.pop_back();
    return told.out;
}

served_database::served_database()
{
    run("create role " + login() + " login password 'test' in role gapless_service");
}

served_database::~served_database()
{
    try
    {
        // Not on the database's own connection, which a test may have taken away.
        pqxx::connection server{server_url()};
        test::run(server, "drop role " + login());
    }
    catch (std::exception const&)
    {
        // The test's own outcome is what counts.
    }
}

}  // namespace gapless::test
