#pragma once

#include "issuing/issuance.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gapless::test {

/// Both ends of a block, as a carrier assigns it.
struct block_ends
{
    std::int64_t first{};
    std::int64_t last{};
};

/// A migrated, empty database of its own for a test case.
///
/// It is cloned from a template that is migrated once and shared by all test programs of one
/// schema, or one that an earlier case of this process has left, emptied (database_pool). The
/// server is GAPLESS_TEST_DATABASE_URL: a superuser's libpq URL, any database. Throws when the
/// variable is not set.
class database
{
public:
    database();
    ~database();
    database(database const&) = delete;
    database& operator=(database const&) = delete;

    /// Its name; unique on the server.
    std::string const& name() const noexcept { return name_; }

    /// How to connect to it, for connections of the test's own: key=value form, as the superuser.
    std::string const& url() const noexcept { return url_; }

    /// The same as another role that can log in.
    std::string url_as(std::string const& role, std::string const& password) const;

    /// The test's connection, as the superuser who owns everything, with PostgreSQL's default
    /// settings.
    pqxx::connection& connection();

    /// Ends the test's connection, so that the database can be copied; the next use opens another.
    void end_connection();

    /// Creates a series whose carrier and number space are `space`, and loads its blocks. Returns
    /// its id.
    std::int32_t create_series(
        std::string const& series,
        std::vector<block_ends> const& blocks,
        std::string const& space = "carrier"
    );

    /// Loads one more block and returns its id.
    std::int32_t load_block(std::string const& series, block_ends const& ends);

    /// Runs statements in a transaction of their own at READ COMMITTED and commits. Returns the
    /// last one's rows as text: columns joined by '|', rows by ' ', null as "null"; an error as
    /// "refused: <name>" for one of ours, else as
    /// "<SQLSTATE> <message>".
    std::string run(std::string const& sql);

    /// verify of every series as text: "gapless", or "<series> <at>: <what>" joined by "; ".
    std::string verify();

private:
    std::string name_;
    std::string url_;
    std::unique_ptr<pqxx::connection> connection_;
};

/// Somebody else's transaction, which holds what its statements took until it is rolled back.
class open_transaction
{
public:
    /// `url` as database::url().
    open_transaction(std::string const& url, std::string const& statements);
    ~open_transaction();
    open_transaction(open_transaction const&) = delete;
    open_transaction& operator=(open_transaction const&) = delete;

    void roll_back();

private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

/// database::run on any connection.
std::string run(pqxx::connection& connection, std::string const& sql);

/// Rows as database::run shows them.
std::string text(pqxx::result const& rows);

/// An SQL error as database::run shows it.
std::string text(pqxx::sql_error const& error);

/// libpq's key=value form of a URL or connection string, with some of its values replaced.
std::string connection_string(
    std::string const& url, std::vector<std::pair<std::string, std::string>> const& replaced
);

/// GAPLESS_TEST_DATABASE_URL. Throws std::runtime_error that says how to get one when it is not
/// set.
std::string server_url();

/// Whether a URL leads to the server that all tests share. It may run without fsync, so a service
/// there has to accept the risk; a server of a test's own is judged as any other.
bool is_shared_server(std::string const& url);

}  // namespace gapless::test
