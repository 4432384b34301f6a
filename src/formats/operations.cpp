#include "formats/operations.hpp"

#include "formats/catalogue.hpp"
#include "formats/format_store.hpp"
#include "postgres/query.hpp"
#include "record/operates.hpp"
#include "record/refused.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace gapless::formats {

struct format_name
{
    std::string name;
};
GAPLESS_RECORD(format_name, (), (name, "Name of the format.", .example = R"("plain")"))

/// A page of formats, in the order of the list.
struct format_page
{
    std::optional<std::string> after;
    bounded<1, 1'000, 1'000> limit;
};
GAPLESS_RECORD(
    format_page,
    (),
    (after, "Formats after this one: `next` of the previous page, which is opaque."),
    (limit, "The most items a page may have.")
)

namespace {

std::vector<format> list(pqxx::transaction_base& database, format_page const& wanted)
{
    std::vector<format> all;
    for (auto const& row : catalogue())
        all.push_back(to_format(to_declaration(row)));
    for (auto const& own : read_declared_formats(database))
        all.push_back(to_format(own));
    if (!wanted.after || wanted.after->empty())
        return all;
    auto const after = std::ranges::find(all, *wanted.after, &format::name);
    if (after == all.end())
        throw refused{
            refusal_kind::out_of_range,
            "The query parameter after has to be the name of a format, as next tells it."};
    all.erase(all.begin(), after + 1);
    return all;
}

format read(pqxx::transaction_base& database, format_name const& which)
{
    auto const found = find_number_format(database, which.name);
    if (found.has_error())
        throw refused{refusal_kind::not_found, found.error().detail};
    return to_format(found->declaration());
}

// The body comes first: OpenAPI has one schema for it and for the answers, which have all fields.
constexpr operation table[]{
    operates<&declare>({
        .method = http_method::post,
        .path = "/v1/formats",
        .needs = scope::admin,
        .summary = "Declare a format of your own",
        .status = 201,
    }),
    operates<&list>({
        .method = http_method::get,
        .path = "/v1/formats",
        .needs = scope::read,
        .summary = "The number formats",
        .description = "The catalogue's and your own.",
    }),
    operates<&read>({
        .method = http_method::get,
        .path = "/v1/formats/{name}",
        .needs = scope::read,
        .summary = "A number format",
    }),
};

}  // namespace

format declare(pqxx::transaction_base& database, format const& wanted, caller const& by)
{
    if (find_format(wanted.name) != nullptr)
        throw refused{
            refusal_kind::state_conflict,
            "'" + wanted.name + "' is a format of the catalogue; choose another name"};
    auto const compiled = number_format::compile(to_declaration(wanted));
    if (compiled.has_error())
        throw refused{refusal_kind::out_of_range, compiled.error().reason};
    for (std::string_view const name : {"dpi", "module", "height_mm", "text"})
        if (compiled->find_parameter(name) != nullptr)  // no URL could give it
            throw refused{
                refusal_kind::out_of_range,
                "'" + std::string{name} + "' says how a barcode is drawn, it is no parameter"};
    auto kept = to_format(compiled->declaration());
    std::string json;
    append_json(json, kept);
    execute(database, "select gapless.format_declare($1, $2::jsonb, $3)", kept.name, json, by.name);
    return kept;
}

constinit feature const administration{"format", "How serials become numbers, and back", table};

}  // namespace gapless::formats
