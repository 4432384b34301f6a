#include "harness/database.hpp"

#include "harness/database_pool.hpp"
#include "postgres/outcome.hpp"
#include "postgres/query.hpp"

#include <algorithm>
#include <cstdlib>
#include <libpq-fe.h>
#include <stdexcept>

namespace gapless::test {

std::string server_url()
{
    if (auto const* url = std::getenv("GAPLESS_TEST_DATABASE_URL"))
        return url;
    throw std::runtime_error{"GAPLESS_TEST_DATABASE_URL is not set: tools/test starts a server and "
                             "sets it, or name a superuser's URL"};
}

namespace {

using conninfo = std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)>;

/// Throws std::runtime_error.
conninfo read_conninfo(std::string const& url)
{
    char* error = nullptr;
    conninfo options{PQconninfoParse(url.c_str(), &error), PQconninfoFree};
    if (!options)
        throw std::runtime_error{"not a connection string: " + std::string{error ? error : ""}};
    return options;
}

/// "host:port" as a URL names them.
std::string read_address(std::string const& url)
{
    auto const options = read_conninfo(url);
    std::string host;
    std::string port;
    for (auto const* option = options.get(); option->keyword; ++option)
    {
        if (option->val && std::string_view{option->keyword} == "host")
            host = option->val;
        if (option->val && std::string_view{option->keyword} == "port")
            port = option->val;
    }
    return host + ":" + port;
}

}  // namespace

bool is_shared_server(std::string const& url)
{
    auto const* shared = std::getenv("GAPLESS_TEST_DATABASE_URL");
    return shared != nullptr && read_address(url) == read_address(shared);
}

std::string connection_string(
    std::string const& url, std::vector<std::pair<std::string, std::string>> const& replaced
)
{
    auto const options = read_conninfo(url);
    std::string text;
    auto const append = [&](std::string const& name, std::string const& value) {
        text += (text.empty() ? "" : " ") + name + "='";
        for (char const c : value)
        {
            if (c == '\'' || c == '\\')
                text += '\\';
            text += c;
        }
        text += '\'';
    };
    for (auto const* option = options.get(); option->keyword; ++option)
    {
        bool const keeps = std::ranges::none_of(replaced, [&](auto const& r) {
            return r.first == option->keyword;
        });
        if (option->val && keeps)
            append(option->keyword, option->val);
    }
    for (auto const& [name, value] : replaced)
        append(name, value);
    return text;
}

namespace {

database_pool& pool()
{
    static auto one = std::make_unique<database_pool>(server_url());
    if (!one->is_open())
        one = std::make_unique<database_pool>(server_url());
    return *one;
}

}  // namespace

database::database()
{
    auto taken = pool().take();
    name_ = taken.name;
    url_ = connection_string(server_url(), {{"dbname", name_}});
    connection_ = std::move(taken.connection);
}

database::~database()
{
    try
    {
        pool().give_back({name_, std::move(connection_)});
    }
    catch (std::exception const&)
    {
        // The test's own outcome is what counts; the server is thrown away afterwards.
    }
}

pqxx::connection& database::connection()
{
    if (!connection_)
        connection_ = std::make_unique<pqxx::connection>(url_);
    return *connection_;
}

void database::end_connection()
{
    connection_.reset();
}

std::string database::url_as(std::string const& role, std::string const& password) const
{
    return connection_string(url_, {{"user", role}, {"password", password}});
}

std::int32_t database::create_series(
    std::string const& series, std::vector<block_ends> const& blocks, std::string const& space
)
{
    std::int32_t series_id = 0;
    {
        pqxx::work transaction{connection()};
        series_id = query_value<std::int32_t>(
            transaction,
            "select gapless.series_create($1, $2, null, null, null, null, null, "
            "null, 'test')",
            series,
            space
        );
        transaction.commit();
    }
    for (auto const& ends : blocks)
        load_block(series, ends);
    return series_id;
}

std::int32_t database::load_block(std::string const& series, block_ends const& ends)
{
    pqxx::work transaction{connection()};
    auto const row = query_row(
        transaction,
        "select gapless.block_load($1, $2, $3, null, null, null, 'test')",
        series,
        ends.first,
        ends.last
    );
    transaction.commit();
    return row[0].as<std::int32_t>();
}

struct open_transaction::parts
{
    pqxx::connection connection;
    pqxx::work work;

    explicit parts(std::string const& url) : connection{url}, work{connection} {}
};

open_transaction::open_transaction(std::string const& url, std::string const& statements)
    : parts_{std::make_unique<parts>(url)}
{
    gapless::execute(parts_->work, statements);
}

open_transaction::~open_transaction() = default;

void open_transaction::roll_back()
{
    parts_->work.abort();
}

std::string text(pqxx::result const& rows)
{
    std::string line;
    for (auto const& row : rows)
    {
        if (!line.empty())
            line += ' ';
        bool first = true;
        for (auto const& field : row)
        {
            if (!first)
                line += '|';
            first = false;
            line += field.is_null() ? "null" : field.c_str();
        }
    }
    return line;
}

std::string text(pqxx::sql_error const& error)
{
    if (auto const kind = refusal_of_sqlstate(error.sqlstate()); kind != refusal_kind{})
        return "refused: " + std::string{name_of(kind)};
    std::string message = error.what();
    message = message.substr(0, message.find('\n'));
    if (message.starts_with("ERROR:"))
        message.erase(0, message.find_first_not_of(' ', 6));
    // libpqxx 6.4.5 drops the SQLSTATE of this one.
    bool const forbidden = dynamic_cast<pqxx::insufficient_privilege const*>(&error) != nullptr;
    return (forbidden ? "42501" : error.sqlstate()) + " " + message;
}

std::string run(pqxx::connection& connection, std::string const& sql)
{
    try
    {
        pqxx::work transaction{connection};
        auto const rows = query_rows(transaction, sql);
        transaction.commit();
        return text(rows);
    }
    catch (pqxx::serialization_failure const&)
    {
        return "40001";
    }
    catch (pqxx::deadlock_detected const&)
    {
        return "40P01";
    }
    catch (pqxx::sql_error const& error)
    {
        return text(error);
    }
}

std::string database::run(std::string const& sql)
{
    return test::run(connection(), sql);
}

std::string database::verify()
{
    pqxx::work transaction{connection()};
    std::string line;
    for (auto const& row : query_rows(transaction, "select series, at, what from gapless.verify()"))
    {
        if (!line.empty())
            line += "; ";
        line += row[0].as<std::string>() + ' ' + row[1].as<std::string>() + ": " +
                row[2].as<std::string>();
    }
    return line.empty() ? "gapless" : line;
}

}  // namespace gapless::test
