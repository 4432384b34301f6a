#include "store/schema.hpp"

#include "base/contract.hpp"
#include "store/embedded_sql.hpp"

#include <algorithm>
#include <charconv>
#include <openssl/sha.h>
#include <stdexcept>

namespace gapless {

namespace {

/// One number for every migrator: they queue up on this advisory lock. "gapless" in ASCII.
constexpr auto migration_lock = "29099008545780595";

std::string sha256_hex(std::string_view text)
{
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256(reinterpret_cast<unsigned char const*>(text.data()), text.size(), digest);
    std::string hex;
    for (auto const byte : digest)
    {
        constexpr std::string_view digits = "0123456789abcdef";
        hex += digits[byte >> 4];
        hex += digits[byte & 15];
    }
    return hex;
}

int version_of(std::string_view name)
{
    int version = 0;
    std::from_chars(name.data(), name.data() + std::min<std::size_t>(4, name.size()), version);
    ensure(version > 0, "a migration's name starts with its number");
    return version;
}

constexpr auto create_bookkeeping = R"(
create schema if not exists gapless;
create table if not exists gapless.schema_migration (
    version    integer     primary key,
    name       text        not null,
    checksum   text        not null,
    applied_at timestamptz not null default now()
);
create table if not exists gapless.schema_functions (
    only_row   boolean     primary key default true check (only_row),
    checksum   text        not null,
    applied_at timestamptz not null default now()
);
)";

schema_state read_state(pqxx::transaction_base& transaction)
{
    schema_state state;
    for (auto const& file : embedded_migrations())
        state.migrations.push_back(
            {version_of(file.name), std::string{file.name}, sha256_hex(file.text), {}, false}
        );

    state.functions_differ = true;
    if (transaction.exec1("select to_regclass('gapless.schema_functions') is null")[0].as<bool>())
        return state;

    for (auto const& row : transaction.exec("select version, checksum, applied_at::text from "
                                            "gapless.schema_migration order by version"))
    {
        state.newest_in_database = row["version"].as<int>();
        for (auto& migration : state.migrations)
            if (migration.version == state.newest_in_database)
            {
                migration.applied_at = row["applied_at"].as<std::string>();
                migration.differs = migration.checksum != row["checksum"].as<std::string>();
            }
    }
    for (auto const& row : transaction.exec("select checksum from gapless.schema_functions"))
        state.functions_differ = row[0].as<std::string>() != functions_checksum();
    return state;
}

/// Throws when this program must not touch that database.
void ensure_applicable(schema_state const& state)
{
    if (state.newest_in_database > newest_migration())
        throw std::runtime_error{
            "the database is at migration " + std::to_string(state.newest_in_database) +
            ", this program knows " + std::to_string(newest_migration()) +
            ": use the newer gapless"};
    for (auto const& migration : state.migrations)
        if (migration.differs)
            throw std::runtime_error{
                "migration " + migration.name +
                " was applied with another text than this program carries: it is not this "
                "database's program"};
}

void apply_functions(pqxx::transaction_base& transaction)
{
    // The bodies name one another, in any order.
    transaction.exec0("set local check_function_bodies = off");
    std::string_view grants;
    for (auto const& file : embedded_functions())
    {
        if (file.name == "grants.sql")
            grants = file.text;
        else
            transaction.exec0(std::string{file.text});
    }
    transaction.exec0(std::string{grants});
    transaction.exec1("select gapless.guards_note()");
    transaction.exec_params(
        "insert into gapless.schema_functions (checksum) values ($1) "
        "on conflict (only_row) do update set checksum = excluded.checksum, applied_at = now()",
        functions_checksum()
    );
}

}  // namespace

bool schema_state::current() const
{
    return !functions_differ && newest_in_database == newest_migration() &&
           std::ranges::all_of(migrations, [](auto const& m) {
               return m.applied_at && !m.differs;
           });
}

schema_state read_schema_state(pqxx::connection& connection)
{
    pqxx::read_transaction transaction{connection};
    return read_state(transaction);
}

std::vector<std::string> migrate(pqxx::connection& connection)
{
    pqxx::nontransaction plain{connection};
    plain.exec(std::string{"select pg_advisory_lock("} + migration_lock + ")");
    std::vector<std::string> applied;
    try
    {
        plain.exec0("begin isolation level read committed");
        plain.exec0("set local client_min_messages = warning");
        if (auto const before = read_state(plain); !before.current())
        {
            ensure_applicable(before);
            plain.exec0(create_bookkeeping);
            for (auto const& migration : before.migrations)
            {
                if (migration.applied_at)
                    continue;
                for (auto const& file : embedded_migrations())
                    if (file.name == migration.name)
                        plain.exec0(std::string{file.text});
                plain.exec_params(
                    "insert into gapless.schema_migration (version, name, checksum) values ($1, "
                    "$2, $3)",
                    migration.version,
                    migration.name,
                    migration.checksum
                );
                applied.push_back(migration.name);
            }
            apply_functions(plain);
        }
        plain.exec0("commit");
    }
    catch (...)
    {
        if (connection.is_open())
        {
            plain.exec0("rollback");
            plain.exec(std::string{"select pg_advisory_unlock("} + migration_lock + ")");
        }
        throw;
    }
    plain.exec(std::string{"select pg_advisory_unlock("} + migration_lock + ")");
    return applied;
}

int newest_migration()
{
    int newest = 0;
    for (auto const& file : embedded_migrations())
        newest = std::max(newest, version_of(file.name));
    return newest;
}

std::string functions_checksum()
{
    static std::string const checksum = [] {
        std::string all;
        for (auto const& file : embedded_functions())
            all.append(file.name).append("\n").append(file.text).append("\n");
        return sha256_hex(all);
    }();
    return checksum;
}

}  // namespace gapless
