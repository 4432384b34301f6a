#include "harness/issuing.hpp"

#include "postgres/outcome.hpp"
#include "postgres/query.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>

namespace gapless::test {

namespace {

/// "array[a, b]::type[]" of what `one` makes of each element.
template <class Elements, class One>
std::string sql_array(Elements const& elements, std::string const& type, One one)
{
    std::string text = "array[";
    for (auto const& element : elements)
        text += std::string{text.size() > 6 ? ", " : ""} + one(element);
    return text + "]::" + type + "[]";
}

std::string quoted(std::string const& value)
{
    std::string text = "'";
    for (char const c : value)
        text += c == '\'' ? "''" : std::string{c};
    return text + "'";
}

std::vector<std::int64_t> offsets_of(std::vector<wanted> const& batch)
{
    std::vector<std::int64_t> offsets;
    std::int64_t sum = 0;
    for (auto const& request : batch)
    {
        offsets.push_back(sum);
        sum += request.count;
    }
    return offsets;
}

/// As the service gives them: null altogether when no request holds.
std::string holds_of(std::vector<wanted> const& batch)
{
    if (std::ranges::none_of(batch, [](auto const& w) { return w.hold_seconds > 0; }))
        return "null";
    return sql_array(batch, "integer", [](auto const& w) {
        return w.hold_seconds > 0 ? std::to_string(w.hold_seconds) : "null";
    });
}

std::string range(std::int64_t first, std::int64_t count)
{
    return std::to_string(first) + "-" + std::to_string(first + count - 1);
}

/// A fate other than the first: " (released)".
std::string told(std::string const& fate)
{
    return fate.empty() || fate == "issued" || fate == "held" ? "" : " (" + fate + ")";
}

/// What `work` returns on a serializable transaction that is then committed, or its error as text.
template <class Work>
std::string run_as_the_service(pqxx::connection& connection, Work work)
{
    try
    {
        pqxx::transaction<pqxx::serializable> transaction{connection};
        auto text = work(transaction);
        transaction.commit();
        return text;
    }
    catch (pqxx::serialization_failure const&)
    {
        return "40001";
    }
    catch (pqxx::sql_error const& error)
    {
        return text(error);
    }
}

}  // namespace

std::string batch_arguments(std::vector<wanted> const& batch)
{
    return sql_array(batch, "integer", [](auto const& w) { return std::to_string(w.count); }) +
           ", " +
           sql_array(batch, "integer", [](auto const& w) { return std::to_string(w.owner); }) +
           ", " +
           sql_array(
               batch,
               "uuid",
               [](auto const& w) { return "gapless.key_to_uuid(" + quoted(w.key) + ")"; }
           ) +
           ", " + sql_array(batch, "text", [](auto const& w) {
               return w.reference.empty() ? "null" : quoted(w.reference);
           });
}

std::string issuing::issue_batch(std::string const& series, std::vector<wanted> const& batch)
{
    auto const call =
        "select * from gapless.issue_requests(" + id_of(series) + ", " + batch_arguments(batch) +
        ", " +
        sql_array(batch, "boolean", [](auto const& w) { return w.contiguous ? "true" : "false"; }) +
        ", true, " + holds_of(batch) + ")";
    return run_as_the_service(connection(), [&](auto& transaction) {
        std::map<int, std::string> outcomes;
        for (auto const& row : query_rows(transaction, call))
        {
            auto& outcome = outcomes[row["request"].template as<int>()];
            if (!row["outcome"].is_null())
                outcome +=
                    "refused: " + std::string{name_of(refusal_of_sqlstate(row["outcome"].c_str()))};
            else
                outcome +=
                    (outcome.empty() ? row["replayed"].template as<bool>() ? "again " : "" : " ") +
                    range(
                        row["serial"].template as<std::int64_t>(),
                        row["count"].template as<std::int64_t>()
                    ) +
                    told(row["fate"].is_null() ? "" : row["fate"].c_str());
        }
        std::string text;
        for (int request = 1; request <= static_cast<int>(batch.size()); ++request)
            text += (request > 1 ? ", " : "") +
                    (outcomes.contains(request) ? outcomes[request] : "no answer");
        return text;
    });
}

std::string issuing::issue_plain(
    std::string const& series,
    std::vector<wanted> const& batch,
    std::optional<std::vector<std::int64_t>> const& offsets
)
{
    auto const starts = offsets.value_or(offsets_of(batch));
    auto const call =
        "select * from gapless.issue_plain(" + id_of(series) + ", " +
        sql_array(starts, "bigint", [](auto offset) { return std::to_string(offset); }) + ", " +
        batch_arguments(batch) + ", true)";
    return run_as_the_service(connection(), [&](auto& transaction) -> std::string {
        auto const rows = query_rows(transaction, call);
        if (rows.empty())
            return "nothing";
        std::string text;
        for (std::size_t k = 0; k < batch.size(); ++k)
            text +=
                (k > 0 ? ", " : "") +
                range(rows[0]["serial"].template as<std::int64_t>() + starts[k], batch[k].count);
        return text;
    });
}

std::string issuing::issue_plain_many(std::vector<std::pair<std::string, wanted>> const& batch)
{
    std::map<std::string, std::pair<std::string, int>> asked;  // name and count by id
    std::vector<std::string> ids;
    std::vector<wanted> requests;
    for (auto const& [series, request] : batch)
    {
        ids.push_back(id_of(series));
        asked[ids.back()] = {series, request.count};
        requests.push_back(request);
    }
    auto const same = [](auto const& text) { return text; };
    auto const counts =
        sql_array(requests, "bigint", [](auto const& w) { return std::to_string(w.count); });
    auto const zeros = sql_array(requests, "bigint", [](auto const&) { return "0"; });
    auto const call = "select * from gapless.issue_plain_many(" + sql_array(ids, "integer", same) +
                      ", " + counts + ", array(select generate_series(1, " +
                      std::to_string(batch.size()) + ")), " + zeros + ", " +
                      batch_arguments(requests) + ", true)";
    return run_as_the_service(connection(), [&](auto& transaction) -> std::string {
        std::string text;
        for (auto const& row : query_rows(transaction, call))
        {
            auto const& [series, count] = asked.at(row["series_id"].c_str());
            text += (text.empty() ? "" : ", ") + series + ' ' +
                    range(row["serial"].template as<std::int64_t>(), count);
        }
        return text.empty() ? "nothing" : text;
    });
}

std::string issuing::call_issue(
    std::string const& series, int count, std::string const& key, std::string const& isolation
)
{
    return run(
        "set transaction isolation level " + isolation + "; select number from gapless.issue(" +
        quoted(series) + ", " + std::to_string(count) + ", " +
        (key.empty() ? "null" : quoted(key)) + ")"
    );
}

std::int64_t issuing::work_of(
    std::string const& statements, std::string const& table, std::string const& figure
)
{
    // The view still shows what the transactions before did and was not reported yet.
    auto const read =
        "(select " + figure +
        " from pg_stat_xact_user_tables where schemaname = 'gapless' and relname = '" + table +
        "')";
    auto const told =
        run("select set_config('test.before', " + read + "::text, true); " + statements +
            " select " + read + " - current_setting('test.before')::bigint");
    std::int64_t grown = 0;
    auto const [end, error] = std::from_chars(told.data(), told.data() + told.size(), grown);
    if (error != std::errc{} || end != told.data() + told.size())
        throw std::runtime_error{statements + ": " + told};
    return grown;
}

std::string issuing::id_of(std::string const& series)
{
    return run("select series_id from gapless.series where name = " + quoted(series));
}

}  // namespace gapless::test
