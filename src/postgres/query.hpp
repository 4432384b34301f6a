#pragma once

#include <pqxx/connection>
#include <pqxx/errorhandler>
#include <pqxx/except>
#include <pqxx/nontransaction>
#include <pqxx/result>
#include <pqxx/transaction>
#include <pqxx/version>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

/// Queries through libpqxx. Debian 12 has version 6.4, Ubuntu 24.04 has 7.8, Debian 13 has 7.10,
/// and each deprecates or drops functions of the one before. Only this header depends on the
/// version. It includes what queries need of libpqxx; headers that only name a connection or a row
/// include pqxx_fwd.hpp.
#define GAPLESS_PQXX (PQXX_VERSION_MAJOR * 100 + PQXX_VERSION_MINOR)

namespace gapless {

/// The rows of a statement. Parameters are $1, $2, and so on; with parameters it must be a single
/// statement, without it may be several. Throws what pqxx throws. Blocks.
template <class... Parameters>
[[nodiscard]] pqxx::result query_rows(
    pqxx::transaction_base& transaction, std::string const& sql, Parameters const&... parameters
)
{
    if constexpr (sizeof...(parameters) == 0)
        return transaction.exec(sql);
    else
#if GAPLESS_PQXX >= 710
        return transaction.exec(sql, pqxx::params{parameters...});
#else
        return transaction.exec_params(sql, parameters...);
#endif
}

/// The only row of a statement. Throws pqxx::unexpected_rows for none or several.
template <class... Parameters>
[[nodiscard]] pqxx::row query_row(
    pqxx::transaction_base& transaction, std::string const& sql, Parameters const&... parameters
)
{
    auto const rows = query_rows(transaction, sql, parameters...);
    if (rows.size() != 1)
        throw pqxx::unexpected_rows{
            "a statement that selects one row selected " + std::to_string(rows.size()) + ": " +
            sql};
    return rows[0];
}

/// The only value of a statement, which is not null.
template <class Value, class... Parameters>
[[nodiscard]] Value query_value(
    pqxx::transaction_base& transaction, std::string const& sql, Parameters const&... parameters
)
{
    return query_row(transaction, sql, parameters...)[0].template as<Value>();
}

/// Runs a statement whose rows nobody reads. Otherwise like query_rows.
template <class... Parameters>
void execute(
    pqxx::transaction_base& transaction, std::string const& sql, Parameters const&... parameters
)
{
    static_cast<void>(query_rows(transaction, sql, parameters...));
}

/// The number of rows.
inline std::size_t row_count(pqxx::result const& rows) noexcept
{
    return static_cast<std::size_t>(rows.size());
}

/// A transaction that sees one moment of the database and changes nothing.
#if GAPLESS_PQXX >= 700
using snapshot_transaction =
    pqxx::transaction<pqxx::repeatable_read, pqxx::write_policy::read_only>;
#else
using snapshot_transaction =
    pqxx::transaction<pqxx::repeatable_read, pqxx::readwrite_policy::read_only>;
#endif

/// Makes a broken connection stay broken. From version 7 on it does so by itself.
inline void keep_from_reconnecting([[maybe_unused]] pqxx::connection& connection)
{
#if GAPLESS_PQXX < 700
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    connection.inhibit_reactivation(true);
#pragma GCC diagnostic pop
#endif
}

/// Passes the server's notices to `hear`, prefixed by severity, while it lives: one listener per
/// connection at a time, destroyed before the connection. `hear` must not throw.
#if GAPLESS_PQXX >= 710
class notice_listener
{
public:
    notice_listener(pqxx::connection& connection, std::function<void(std::string_view)> hear)
        : connection_{connection}
    {
        connection_.set_notice_handler(std::move(hear));
    }
    ~notice_listener() { connection_.set_notice_handler({}); }
    notice_listener(notice_listener const&) = delete;
    notice_listener& operator=(notice_listener const&) = delete;

private:
    pqxx::connection& connection_;
};
#else
class notice_listener : private pqxx::errorhandler
{
public:
    notice_listener(pqxx::connection& connection, std::function<void(std::string_view)> hear)
        : pqxx::errorhandler{connection},
          hear_{std::move(hear)}
    {
    }

private:
    bool operator()(char const* message) noexcept override
    {
        hear_(message);
        return true;
    }

    std::function<void(std::string_view)> hear_;
};
#endif

}  // namespace gapless
