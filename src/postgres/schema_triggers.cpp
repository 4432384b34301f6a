#include "postgres/schema_triggers.hpp"

#include "base/contract.hpp"
#include "base/text.hpp"
#include "postgres/query.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <set>
#include <sstream>

namespace gapless {

namespace {

constexpr std::string_view beginning = "create or replace trigger ";
constexpr std::chrono::milliseconds lock_wait_max{300};

/// Which trigger a statement is about: "create or replace trigger NAME … on TABLE …".
struct trigger_name
{
    std::string name;
    std::string table;
};

trigger_name name_of(std::string const& statement)
{
    trigger_name found;
    std::istringstream words{statement.substr(beginning.size())};
    words >> found.name;
    for (std::string word; found.table.empty() && words >> word;)
        if (word == "on")
            words >> found.table;
    ensure(!found.table.empty(), "a trigger has a name and a table");
    return found;
}

/// A definition without the details that PostgreSQL writes differently: case, spaces, parentheses.
std::string essence_of(std::string_view definition)
{
    std::string essence;
    for (char const c : definition)
        if (std::string_view{" \n\t();"}.find(c) == std::string_view::npos)
            essence += to_lower(c);
    constexpr std::string_view replace = "orreplace";
    if (auto const at = essence.find(replace); at != essence.npos)
        essence.erase(at, replace.size());
    return essence;
}

}  // namespace

split_file split_triggers(std::string_view text)
{
    split_file file;
    std::size_t from = 0;
    while (from < text.size())
    {
        auto const line_end = std::min(text.find('\n', from), text.size() - 1) + 1;
        if (!text.substr(from).starts_with(beginning))
        {
            file.rest += text.substr(from, line_end - from);
            from = line_end;
            continue;
        }
        auto const end = text.find(';', from);
        ensure(end != text.npos, "a trigger's statement ends");
        file.triggers.emplace_back(text.substr(from, end + 1 - from));
        from = end + 1;
    }
    return file;
}

std::vector<std::string> missing_triggers(
    pqxx::transaction_base& transaction, std::vector<std::string> const& triggers
)
{
    // Makes PostgreSQL write names with their schema, whatever our role.
    execute(transaction, "set local search_path = pg_catalog, pg_temp");
    std::vector<std::string> missing;
    for (auto const& trigger : triggers)
    {
        auto const wanted = name_of(trigger);
        auto const found = query_rows(
            transaction,
            "select pg_get_triggerdef(t.oid) from pg_trigger t where t.tgrelid = to_regclass($1) "
            "and t.tgname = $2 and t.tgenabled in ('O', 'A')",
            wanted.table,
            wanted.name
        );
        if (found.empty() || essence_of(found[0][0].as<std::string>()) != essence_of(trigger))
            missing.push_back(trigger);
    }
    return missing;
}

void create_triggers(pqxx::transaction_base& transaction, std::vector<std::string> const& triggers)
{
    using clock = std::chrono::steady_clock;
    std::set<std::string> tables;
    for (auto const& trigger : triggers)
        tables.insert(name_of(trigger).table);
    auto const until = clock::now() + lock_wait_max;
    for (auto const& table : tables)
    {
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now());
        execute(
            transaction,
            "select set_config('lock_timeout', $1::bigint::text, true)",
            std::max<long>(1, left.count())
        );
        auto const lock = fmt::format("lock table {} in share row exclusive mode", table);
        execute(transaction, lock);
    }
    for (auto const& trigger : triggers)
        execute(transaction, trigger);
}

}  // namespace gapless
