#include "issuing/issue_statements.hpp"

#include "base/contract.hpp"
#include "issuing/issue_values.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

namespace gapless {

namespace {

/// An array of one field of every request; null as a whole when no request has it.
template <auto Field>
void write_each(binary_parameters& out, batch_view const& view)
{
    using field = issue_value::without_null<std::remove_cvref_t<decltype(issue_request{}.*Field)>>;
    auto const& requests = view.batch.requests;
    auto given = requests.size();
    if constexpr (field::nullable)
    {
        given = static_cast<std::size_t>(std::ranges::count_if(requests, [](auto const* request) {
            return (request->*Field).has_value();
        }));
        if (given == 0)
            return out.add_null();
    }
    out.begin_array(
        issue_value::type_of<typename field::type>(), requests.size(), given < requests.size()
    );
    for (auto const* request : requests)
        issue_value::append(out, request->*Field);
}

/// An array of one field of each series, for a batch of several.
template <auto Field>
void write_each_series(binary_parameters& out, batch_view const& view)
{
    using field = std::remove_cvref_t<decltype(series_total{}.*Field)>;
    out.begin_array(issue_value::type_of<field>(), view.totals.size());
    for (auto const& one : view.totals)
        issue_value::append(out, one.*Field);
}

/// The offset of each request within its series' total.
void write_offsets(binary_parameters& out, batch_view const& view)
{
    out.begin_array(type_id::int8, view.batch.requests.size());
    std::int64_t offset = 0;
    issue_request const* before = nullptr;
    for (auto const* request : view.batch.requests)
    {
        if (before != nullptr && before->series_id != request->series_id)
            offset = 0;
        out.append_int8(offset);
        offset += request->count;
        before = request;
    }
}

/// The position of each request's series among those of the batch, from 1 as in PostgreSQL.
void write_places(binary_parameters& out, batch_view const& view)
{
    out.begin_array(type_id::int4, view.batch.requests.size());
    for (auto const* request : view.batch.requests)
    {
        auto const found =
            std::ranges::lower_bound(view.totals, request->series_id, {}, &series_total::series_id);
        out.append_int4(static_cast<std::int32_t>(found - view.totals.begin()) + 1);
    }
}

void write_series(binary_parameters& out, batch_view const& view)
{
    out.add_int4(only_series(view.batch));
}

/// True: no lock is taken before the batch, so the call refuses if another session has it.
void write_alone(binary_parameters& out, batch_view const& view)
{
    out.add_boolean(view.batch.manners == courtesy::ask);
}

void write_known_epoch(binary_parameters& out, batch_view const& view)
{
    out.add_int4(view.batch.known_epoch);
}

void write_known_counter(binary_parameters& out, batch_view const& view)
{
    if (view.batch.counter_oid == 0)
        return out.add_null();
    out.add_oid(view.batch.counter_oid);
}

/// The mark of a batch of one series.
series_mark known_mark(batch_to_issue const& batch)
{
    return batch.known.empty() ? series_mark{} : batch.known.front();
}

void write_known_ordinal(binary_parameters& out, batch_view const& view)
{
    out.add_int8(known_mark(view.batch).ordinal);
}

void write_known_turn(binary_parameters& out, batch_view const& view)
{
    out.add_int4(known_mark(view.batch).turn);
}

/// An array of one field of the marks of each series, for a batch of several.
template <auto Field>
void write_each_known(binary_parameters& out, batch_view const& view)
{
    auto const& known = view.batch.known;
    if (known.empty())
        return out.add_null();
    ensure(known.size() == view.totals.size(), "each series of a batch has its mark");
    out.begin_array(
        issue_value::type_of<std::remove_cvref_t<decltype(series_mark{}.*Field)>>(), known.size()
    );
    for (auto const& mark : known)
        issue_value::append(out, mark.*Field);
}

constexpr statement_parameter series{"p_series_id", type_id::int4, {}, write_series};
constexpr statement_parameter offsets{"p_offsets", type_id::int8_array, {}, write_offsets};
constexpr statement_parameter counts{
    "p_counts", type_id::int4_array, {}, write_each<&issue_request::count>};
constexpr statement_parameter owners{
    "p_owners", type_id::int4_array, {}, write_each<&issue_request::owner_id>};
constexpr statement_parameter keys{
    "p_keys", type_id::uuid_array, {}, write_each<&issue_request::key>};
constexpr statement_parameter references{
    "p_references", type_id::text_array, {}, write_each<&issue_request::reference>};
constexpr statement_parameter contiguous{
    "p_contiguous", type_id::boolean_array, {}, write_each<&issue_request::contiguous>};
constexpr statement_parameter serializable{"p_serializable", type_id::boolean, "true"};
constexpr statement_parameter holds{
    "p_holds", type_id::int4_array, {}, write_each<&issue_request::hold_seconds>};
constexpr statement_parameter alone{"p_alone", type_id::boolean, {}, write_alone};
constexpr statement_parameter all_series{
    "p_series_ids", type_id::int4_array, {}, write_each_series<&series_total::series_id>};
constexpr statement_parameter totals{
    "p_totals", type_id::int8_array, {}, write_each_series<&series_total::count>};
constexpr statement_parameter places{"p_places", type_id::int4_array, {}, write_places};
constexpr statement_parameter known_epoch{"p_known_epoch", type_id::int4, {}, write_known_epoch};
constexpr statement_parameter known_counter{
    "p_known_counter", type_id::oid, {}, write_known_counter};
constexpr statement_parameter known_ordinal{
    "p_known_ordinal", type_id::int8, {}, write_known_ordinal};
constexpr statement_parameter known_turn{"p_known_turn", type_id::int4, {}, write_known_turn};
constexpr statement_parameter known_ordinals{
    "p_known_ordinals", type_id::int8_array, {}, write_each_known<&series_mark::ordinal>};
constexpr statement_parameter known_turns{
    "p_known_turns", type_id::int4_array, {}, write_each_known<&series_mark::turn>};

template <auto Field>
constexpr issue_column column(std::string_view name)
{
    using field = std::remove_cvref_t<decltype(issued_row{}.*Field)>;
    return {name, issue_value::type_of<field>(), [](issued_row& row, char const* bytes) {
                issue_value::read(row.*Field, bytes);
            }};
}

constexpr std::array start_columns{
    column<&issued_row::series_id>("series_id"),
    column<&issued_row::ordinal>("ordinal"),
    column<&issued_row::serial>("serial"),
    column<&issued_row::block_id>("block_id"),
    column<&issued_row::epoch>("epoch"),
    column<&issued_row::issued_at>("issued_at")};

constexpr std::array request_columns{
    column<&issued_row::request>("request"),
    column<&issued_row::outcome>("outcome"),
    column<&issued_row::replayed>("replayed"),
    column<&issued_row::turn>("turn"),
    column<&issued_row::ordinal>("ordinal"),
    column<&issued_row::serial>("serial"),
    column<&issued_row::count>("count"),
    column<&issued_row::block_id>("block_id"),
    column<&issued_row::epoch>("epoch"),
    column<&issued_row::issued_at>("issued_at"),
    column<&issued_row::detail>("detail"),
    column<&issued_row::reference_erased>("reference_erased"),
    column<&issued_row::fate>("fate")};

constexpr std::array plain_parameters{
    series,
    offsets,
    counts,
    owners,
    keys,
    references,
    serializable,
    holds,
    alone,
    known_epoch,
    known_counter,
    known_ordinal,
    known_turn};
constexpr std::array many_parameters{
    all_series,
    totals,
    places,
    offsets,
    counts,
    owners,
    keys,
    references,
    serializable,
    known_epoch,
    known_counter,
    known_ordinals,
    known_turns};
constexpr std::array request_parameters{
    series,
    counts,
    owners,
    keys,
    references,
    contiguous,
    serializable,
    holds,
    alone,
    known_epoch,
    known_counter,
    known_ordinal,
    known_turn};

constexpr std::array<issue_statement, 3> statements{{
    {.name = "plain",
     .function = "gapless.issue_plain",
     .parameters = plain_parameters,
     .columns = std::span{start_columns}.subspan(1)},
    {.name = "many",
     .function = "gapless.issue_plain_many",
     .parameters = many_parameters,
     .columns = start_columns},
    {.name = "requests",
     .function = "gapless.issue_requests",
     .parameters = request_parameters,
     .columns = request_columns},
}};

/// The total requested of each series of a batch, in the order of their ids.
std::vector<series_total> totals_of(batch_to_issue const& batch)
{
    std::vector<series_total> all;
    for (auto const* request : batch.requests)
    {
        if (all.empty() || all.back().series_id != request->series_id)
            all.push_back({request->series_id, 0});
        all.back().count += request->count;
    }
    std::ranges::sort(all, {}, &series_total::series_id);
    return all;
}

}  // namespace

std::span<issue_statement const> issue_statements() noexcept
{
    return statements;
}

issue_statement const& statement_for(batch_to_issue const& batch) noexcept
{
    if (batch.look_up)
        return statements[2];
    return batch.series_id ? statements[0] : statements[1];
}

std::int32_t only_series(batch_to_issue const& batch)
{
    ensure(batch.series_id.has_value(), "the batch is of one series");
    return batch.series_id.value_or(0);
}

std::string to_text(issue_statement const& statement)
{
    std::string text{"select "};
    for (auto const& column : statement.columns)
        text.append(&column == &statement.columns.front() ? "" : ", ").append(column.name);
    text.append(" from ").append(statement.function).append("(");
    int sent = 0;
    for (auto const& parameter : statement.parameters)
    {
        text.append(&parameter == &statement.parameters.front() ? "" : ", ");
        text.append(parameter.name).append(" => ");
        if (parameter.literal.empty())
            text.append("$").append(std::to_string(++sent));
        else
            text.append(parameter.literal);
    }
    return text.append(")");
}

std::vector<unsigned> sent_types(issue_statement const& statement)
{
    std::vector<unsigned> types;
    for (auto const& parameter : statement.parameters)
        if (parameter.literal.empty())
            types.push_back(parameter.type);
    return types;
}

void fill_parameters(
    binary_parameters& parameters, issue_statement const& statement, batch_to_issue const& batch
)
{
    batch_view view{batch, {}};
    if (!batch.series_id)
        view.totals = totals_of(batch);
    parameters.clear();
    for (auto const& parameter : statement.parameters)
        if (parameter.literal.empty())
            parameter.write(parameters, view);
}

}  // namespace gapless
