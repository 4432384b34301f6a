#include "postgres/schema.hpp"

#include "base/contract.hpp"
#include "base/sha256.hpp"
#include "postgres/columns.hpp"
#include "postgres/embedded_sql.hpp"
#include "postgres/outcome.hpp"
#include "postgres/query.hpp"
#include "postgres/schema_triggers.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <thread>

namespace gapless {

namespace {

/// One lock id for all migrators: they queue on this advisory lock. "gapless" in ASCII.
constexpr std::int64_t migration_lock{29'099'008'545'780'595};

/// How often migrate() tries while others use the tables, and how long it pauses in between.
constexpr int attempts_max = 30;
constexpr std::chrono::milliseconds pause_between{700};

std::string sha256_hex(std::string_view text)
{
    return to_hexadecimal(sha256(text));
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
    name       text collate "C" not null,
    checksum   text collate "C" not null,
    applied_at timestamptz not null default now()
);
create table if not exists gapless.schema_functions (
    only_row   boolean     primary key default true check (only_row),
    checksum   text collate "C" not null,
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
    state.differences = read_differences(transaction);
    state.interfaces = read_interfaces(transaction);
    if (query_value<bool>(transaction, "select to_regclass('gapless.schema_functions') is null"))
        return state;

    for (auto const& row : query_rows(
             transaction,
             "select version, checksum, to_char(applied_at at time zone 'UTC', "
             "'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') as applied_at from "
             "gapless.schema_migration order by version"
         ))
    {
        state.newest_in_database = row["version"].as<int>();
        for (auto& migration : state.migrations)
            if (migration.version == state.newest_in_database)
            {
                migration.applied_at = row["applied_at"].as<std::string>();
                migration.differs = migration.checksum != row["checksum"].as<std::string>();
            }
    }
    for (auto const& row : query_rows(transaction, "select checksum from gapless.schema_functions"))
        state.functions_differ = row[0].as<std::string>() != functions_checksum();
    return state;
}

void apply_functions(pqxx::transaction_base& transaction)
{
    // Function bodies refer to each other, in any order.
    execute(transaction, "set local check_function_bodies = off");
    std::string_view grants;
    std::vector<std::string> triggers;
    for (auto const& file : embedded_functions())
    {
        if (file.name == "grants.sql")
        {
            grants = file.text;
            continue;
        }
        auto parts = split_triggers(file.text);
        execute(transaction, parts.rest);
        std::ranges::move(parts.triggers, std::back_inserter(triggers));
    }
    execute(transaction, std::string{grants});
    ensure_no_overloads(transaction);
    execute(
        transaction,
        "insert into gapless.schema_functions (checksum) values ($1) "
        "on conflict (only_row) do update set checksum = excluded.checksum, applied_at = now()",
        functions_checksum()
    );
    // Last, because nobody can write to these tables until the COMMIT.
    create_triggers(transaction, missing_triggers(transaction, triggers));
    execute(transaction, "select gapless.guards_note()");
}

/// The constraints and indexes that others added: guards_note() must not take them for ours.
pqxx::result read_foreign_guards(pqxx::transaction_base& transaction)
{
    if (query_value<bool>(transaction, "select to_regprocedure('gapless.guards()') is null"))
        return {};
    return query_rows(
        transaction,
        "select g.kind, g.place, g.name from gapless.guards() g "
        "where g.kind in ('constraint', 'index') and not exists (select from gapless.guard n "
        "where n.kind = g.kind and n.place = g.place and n.name = g.name)"
    );
}

void ensure_encoding(pqxx::transaction_base& transaction)
{
    auto const encoding =
        query_row(transaction, "select current_setting('server_encoding')")[0].as<std::string>();
    if (encoding != "UTF8")
        throw std::runtime_error{
            "the encoding of the database is " + encoding +
            ", gapless needs UTF8; nothing was changed: create database NAME encoding 'UTF8' "
            "template template0"};
}

/// The schema of somebody else who has the name, too.
void ensure_no_foreign_schema(pqxx::transaction_base& transaction)
{
    auto const found = query_rows(
        transaction,
        "select c.relname from pg_class c "
        "where c.relnamespace = to_regnamespace('gapless') order by c.oid limit 1"
    );
    if (!found.empty())
        throw std::runtime_error{
            "the database has a schema gapless that no gapless has made, with " +
            found[0][0].as<std::string>() +
            "; nothing was changed: rename or drop it, or use another database"};
}

/// What another role adds would belong to it, and the schema's functions could not read it.
void ensure_schema_is_ours(pqxx::transaction_base& transaction)
{
    auto const owner = query_rows(
        transaction,
        "select pg_get_userbyid(nspowner), current_user from pg_namespace "
        "where nspname = 'gapless' and nspowner <> current_user::regrole"
    );
    if (!owner.empty())
        throw migrator_refused{fmt::format(
            "the schema gapless belongs to the role {0}, and this is {1}; nothing was changed: "
            "connect as {0}",
            owner[0][0].as<std::string>(),
            owner[0][1].as<std::string>()
        )};
}

/// Returns what migrate() does.
std::vector<std::string> apply_what_is_pending(pqxx::nontransaction& plain)
{
    std::vector<std::string> applied;
    execute(plain, "begin isolation level read committed");
    execute(plain, "set local client_min_messages = warning");
    execute(plain, "set local lock_timeout = '300ms'");
    if (auto const before = read_state(plain); !before.current())
    {
        ensure_encoding(plain);
        ensure_applicable(before);
        if (before.newest_in_database == 0)
            ensure_no_foreign_schema(plain);
        ensure_schema_is_ours(plain);
        ensure_roles_can_be_made(plain, before.differences);
        auto const foreign = read_foreign_guards(plain);
        execute(plain, create_bookkeeping);
        for (auto const& migration : before.migrations)
        {
            if (migration.applied_at)
                continue;
            for (auto const& file : embedded_migrations())
                if (file.name == migration.name)
                    execute(plain, std::string{file.text});
            execute(
                plain,
                "insert into gapless.schema_migration (version, name, checksum) values ($1, $2, "
                "$3)",
                migration.version,
                migration.name,
                migration.checksum
            );
            applied.push_back(migration.name);
        }
        apply_functions(plain);
        for (auto const& row : foreign)
            execute(
                plain,
                "delete from gapless.guard where kind = $1 and place = $2 and name = $3",
                row[0].as<std::string>(),
                row[1].as<std::string>(),
                row[2].as<std::string>()
            );
        if (before.functions_differ || !applied.empty())
            applied.emplace_back("functions");
    }
    execute(plain, "select gapless.place_note()");
    execute(plain, "commit");
    return applied;
}

/// Who has that advisory lock; none: who uses our tables, the longest first, readers last, because
/// few statements wait for them.
std::string holder_of(pqxx::transaction_base& transaction, std::optional<std::int64_t> lock = {})
{
    auto const found = query_rows(
        transaction,
        "select format('process %s (role %s, application %s, %s)', a.pid, coalesce(a.usename, "
        "a.backend_type), coalesce(nullif(a.application_name, ''), 'unnamed'), coalesce(a.state, "
        "'at work')) || coalesce(' has been in a transaction since ' || to_char(a.xact_start at "
        "time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), '') "
        "from pg_locks l join pg_stat_activity a using (pid) "
        "left join pg_class c on c.oid = l.relation "
        "where l.granted and l.pid <> pg_backend_pid() "
        "and l.database = (select d.oid from pg_database d where d.datname = current_database()) "
        "and case when $1::bigint is null then c.relnamespace = to_regnamespace('gapless') "
        "else l.locktype = 'advisory' and l.objsubid = 1 "
        "and (l.classid::bigint << 32) + l.objid::bigint = $1 end "
        "order by l.mode in ('AccessShareLock', 'RowShareLock'), a.xact_start limit 1",
        lock
    );
    return found.empty() ? "somebody who is gone by now" : found[0][0].as<std::string>();
}

/// Runs `work`, and again while others use the tables. `but` is what became of the schema then.
template <class Work>
void run_between_others(
    pqxx::nontransaction& plain, migration_teller const& tell, std::string_view but, Work work
)
{
    for (int attempt = 1;; ++attempt)
    {
        try
        {
            return work();
        }
        catch (pqxx::sql_error const& error)
        {
            if (to_outcome(error, true).kind != outcome_kind::locked)
                throw;
        }
        auto const blocker = holder_of(plain);
        if (attempt == attempts_max)
            throw schema_in_use{
                "others use the tables, " + std::string{but} + ": " + blocker +
                "\n  let it end, then again: gapless migrate up"};
        tell("waiting until the tables are free: " + blocker);
        std::this_thread::sleep_for(pause_between);
    }
}

std::vector<std::string> apply_or_roll_back(pqxx::nontransaction& plain)
{
    try
    {
        return apply_what_is_pending(plain);
    }
    catch (...)
    {
        if (plain.conn().is_open())
            execute(plain, "rollback");
        throw;
    }
}

/// Waits for other migrators. Asks again and again: who waits in a statement has a snapshot, and
/// another one's CREATE INDEX CONCURRENTLY would wait for that.
void take_migration_lock(pqxx::nontransaction& plain, migration_teller const& tell)
{
    while (!query_value<bool>(plain, "select pg_try_advisory_lock($1)", migration_lock))
    {
        tell("waiting for another migration: " + holder_of(plain, migration_lock));
        std::this_thread::sleep_for(pause_between);
    }
}

}  // namespace

void ensure_applicable(schema_state const& state)
{
    if (state.newest_in_database > newest_migration())
        throw std::runtime_error{
            "the database is at migration " + std::to_string(state.newest_in_database) +
            ", this program knows " + std::to_string(newest_migration()) +
            ": use the newer gapless"};
    if (state.interfaces && state.interfaces->newest > called_interfaces().newest)
        throw std::runtime_error{
            "the database serves interface " + std::to_string(state.interfaces->newest) +
            " of gapless, this program knows " + std::to_string(called_interfaces().newest) +
            ": use the newer gapless"};
    for (auto const& migration : state.migrations)
        if (migration.differs)
            throw std::runtime_error{
                "migration " + migration.name +
                " was applied with another text than this program carries: it is not this "
                "database's program"};
}

bool schema_state::current() const
{
    return !functions_differ && newest_in_database == newest_migration() &&
           std::ranges::all_of(
               migrations, [](auto const& m) { return m.applied_at && !m.differs; }
           ) &&
           std::ranges::none_of(differences, &schema_difference::mendable);
}

schema_state read_schema_state(pqxx::connection& connection)
{
    // Not the session's default: a standby has no serializable transactions.
    snapshot_transaction transaction{connection};
    return read_state(transaction);
}

std::vector<std::string> migrate(
    pqxx::connection& connection, migration_teller const& tell, std::function<void()> const& kept
)
{
    pqxx::nontransaction plain{connection};
    take_migration_lock(plain, tell);
    try
    {
        std::vector<std::string> applied;
        run_between_others(plain, tell, "nothing was changed", [&] {
            applied = apply_or_roll_back(plain);
        });
        kept();
        // Each mend is kept by itself; those that are done are no differences any more.
        run_between_others(plain, tell, "the schema is applied but not all is mended", [&] {
            for (auto const& difference : read_differences(plain))
                if (difference.mendable())
                    mend(plain, difference);
        });
        execute(plain, "select pg_advisory_unlock($1)", migration_lock);
        return applied;
    }
    catch (...)
    {
        if (connection.is_open())
            execute(plain, "select pg_advisory_unlock($1)", migration_lock);
        throw;
    }
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
