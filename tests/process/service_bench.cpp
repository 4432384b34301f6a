#include "service_bench.hpp"

#include "store/token_store.hpp"
#include "support/history_checker.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace gapless::test {

namespace {

constexpr auto sound = "gapless, clean";

/// Writes a history where it outlives the test, and returns the file's name.
std::string keep(history const& seen)
{
    auto const file = std::filesystem::temp_directory_path() /
                      ("gapless-history-" + std::to_string(::getpid()) + ".jsonl");
    std::ofstream out{file};
    seen.write(out);
    return file.string();
}

}  // namespace

void service_bench::start_instances(std::size_t count, std::vector<std::string> const& options)
{
    options_ = options;
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

void service_bench::kill_and_restart(std::size_t n)
{
    instances_.at(n)->kill();
    instances_[n] = std::make_unique<service_process>(service_url_, options_);
    instances_[n]->wait_ready();
    addresses_->replace(n, instances_[n]->address());
}

void service_bench::create_series(std::string const& name, std::vector<block_ends> const& blocks)
{
    pqxx::connection connection{url_};
    pqxx::work transaction{connection};
    transaction.exec_params1(
        "select gapless.series_create($1, $1, null, null, null, null, null, null, 'test')", name
    );
    for (auto const& ends : blocks)
        transaction.exec_params1(
            "select gapless.block_load($1, $2, $3, null, null, null, 'test')",
            name,
            ends.first,
            ends.last
        );
    transaction.commit();
}

credential service_bench::create_token(std::string const& client, token_wish const& wish) const
{
    token_draft draft;
    draft.name = client;
    draft.scopes = wish.scopes;
    draft.series = wish.series;
    draft.rate = wish.rate;
    draft.daily_quota = wish.daily_quota;
    if (wish.lives)
        draft.expires_at = std::chrono::time_point_cast<std::chrono::microseconds>(
            std::chrono::system_clock::now() + *wish.lives
        );
    pqxx::connection connection{url_};
    pqxx::work transaction{connection};
    auto const created = gapless::create_token(transaction, draft, "test");
    transaction.commit();
    return {client, created.text};
}

std::string service_bench::run(std::string const& sql) const
{
    pqxx::connection connection{url_};
    return test::run(connection, sql);
}

std::string service_bench::verdict() const
{
    pqxx::connection connection{url_};
    auto const own = test::run(
        connection,
        "select coalesce(string_agg(series || ' ' || at || ': ' || what, '; '), 'gapless') from "
        "gapless.verify()"
    );
    auto const verdict = own + ", " + checked(seen_, read_ledger(connection));
    return verdict == sound ? verdict : verdict + "\nthe history is in " + keep(seen_);
}

std::uint64_t scaled(std::uint64_t of_a_commit)
{
    auto const* text = std::getenv("GAPLESS_TEST_SCALE");
    std::uint64_t scale = 1;
    if (text != nullptr)
        std::from_chars(text, text + std::strlen(text), scale);
    return of_a_commit * std::max<std::uint64_t>(scale, 1);
}

}  // namespace gapless::test
