#include "app/openapi.hpp"

#include "app/embedded_documents.hpp"
#include "app/routes.hpp"
#include "base/text.hpp"
#include "http/problem.hpp"
#include "record/openapi_schema.hpp"
#include "record/schema.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace gapless {

namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view schemas_place{"#/components/schemas/"};

std::string method_name(boost::beast::http::verb verb)
{
    return to_lower(std::string{to_string(verb)});
}

/// Adds to a hand-written route what its row says, and the refusals of requests like it. Keeps what
/// the document already says.
void complete(json& document, route const& of)
{
    auto& operation = document["paths"][std::string{of.pattern}][method_name(of.verb)];
    auto const has_body = of.body != body_size::none;
    std::string schema;
    auto const describe = [&](std::string_view name, json& where) {
        auto const title = schema_title(name);
        document["components"]["schemas"][title] = json::parse(std::exchange(schema, {}));
        where["content"]["application/json"]["schema"]["$ref"] = std::string{schemas_place} + title;
    };
    if (of.asks)
        for (auto const& field : of.asks->fields)
        {
            append_input_schema(schema += '{', field, /*in_body=*/false);
            operation["parameters"].push_back(
                {{"name", field.name},
                 {"in", "query"},
                 {"description", field.about.text},
                 {"schema", json::parse(std::exchange(schema, {}) + '}')}}
            );
        }
    if (of.reads)
    {
        append_object_schema(schema, of.reads->fields);
        describe(of.reads->name, operation["requestBody"]);
    }
    if (of.answers)
    {
        of.answers->append_schema(schema);
        describe(of.answers->name, operation["responses"]["200"]);
    }
    if (!of.needs)
        return;
    operation["security"] = json::array({{{"bearer", {name_of(*of.needs)}}}});
    auto& responses = operation["responses"];
    auto const in_path = of.pattern.find('{') != std::string_view::npos;
    for (auto const& [status, name] : usual_refusals(in_path, of.asks != nullptr, has_body))
        if (auto const code = std::to_string(status); !responses.contains(code))
            responses[code]["$ref"] = "#/components/responses/" + std::string{name};
}

/// A refusal shared by many requests, with an example.
struct common_refusal
{
    std::string_view component;
    std::string_view kinds;
    refusal example;
};

/// The refusals that usual_refusals and the document refer to.
std::vector<common_refusal> common_refusals()
{
    using enum refusal_kind;
    return {
        {"Malformed",
         "malformed-request",
         {malformed_request,
          "The field \"cuont\" is unknown: this body takes count, contiguous, hold_seconds, "
          "reference."}},
        {"Unauthenticated",
         "unauthenticated",
         {unauthenticated,
          "The token is malformed: it is cut off or mistyped. A token is sent as it was shown, "
          "from "
          "gapless_ to its last character."}},
        {"Forbidden",
         "forbidden",
         {forbidden, "The token lacks the scope read, which this path needs."}},
        {"NotFound",
         "Nothing of this name is visible to this token",
         {unknown_series,
          "No series of this name is visible to this token; GET /v1/series lists them."}},
        {"Conflict",
         "The present state does not allow this",
         {series_exhausted,
          "series 'letters' has 0 numbers remaining, 2 requested; load the next block: gapless "
          "block load letters FIRST LAST"}},
        {"PreconditionFailed",
         "precondition-failed",
         {precondition_failed,
          "series 'dhl-paket' is at version 2, not 9: read it again, then repeat the change"}},
        {"TooLarge", "too-large", {too_large, "The body is larger than this path takes."}},
        {"UnsupportedMediaType",
         "unsupported-media-type",
         {unsupported_media_type,
          "Content-Type is text/xml: send the body as application/json in UTF-8."}},
        {"Unprocessable",
         "out-of-range",
         {out_of_range, "The field \"count\" has to be 1 to 100000."}},
        {"TooManyRequests",
         "too-many-requests: the token is beyond its rate or its quota of the day, or too many bad "
         "tokens came from this address",
         {too_many_requests,
          "The token may send 1 requests a second; send them more slowly, or use a token with a "
          "higher --rate."}},
        {"Unavailable",
         "fenced, overloaded, database-unavailable, or outcome-unknown: repeat with the same key",
         {fenced, "the database is fenced: the standby was promoted; see: gapless epoch show"}}};
}

/// Adds the schema of refusals.
void add_refusals(json& components)
{
    auto& types = components["schemas"]["Problem"]["properties"]["type"]["enum"];
    types.push_back("about:blank");
    for (auto n = 1; n <= static_cast<int>(refusal_kind::outcome_unknown); ++n)
        types.push_back("/problems/" + std::string{name_of(static_cast<refusal_kind>(n))});
    problem_writer problems;
    for (auto const& each : common_refusals())
    {
        answer given;
        given.request_id = "e887041a-0000002e";
        problems.write(given, each.example);
        auto& response = components["responses"][std::string{each.component}];
        response["description"] = each.kinds;
        if (given.asks_for_token)
            response["headers"]["WWW-Authenticate"]["schema"] = {
                {"type", "string"}, {"const", "Bearer"}};
        if (given.retry_after_seconds > 0)
            response["headers"]["Retry-After"]["$ref"] = "#/components/headers/RetryAfter";
        auto& media = response["content"]["application/problem+json"];
        media["schema"]["$ref"] = std::string{schemas_place} + "Problem";
        media["example"] = json::parse(given.body);
    }
}

/// A field that takes digits also takes an integer. The document says so once instead of for each
/// field: OpenAPI 3.0, and generators made for it, allow only one type per field.
void keep_one_type(json& part)
{
    if (auto const type = part.is_object() ? part.find("type") : part.end();
        type != part.end() && type->is_array() && type->size() > 1 && (*type)[0] == "string" &&
        (*type)[1] == "integer")
    {
        type->erase(1);
        if (type->size() == 1)
            *type = "string";
    }
    for (auto& each : part)
        if (each.is_structured())
            keep_one_type(each);
}

std::string make_document()
{
    auto document = json::parse(embedded_openapi());
    add_refusals(document["components"]);
    for (auto const& each : routes())
        if (!each.does)
            complete(document, each);
    std::string text;
    append_openapi(text, features());
    auto const made = json::parse(text);
    for (auto const& [path, methods] : made["paths"].items())
        document["paths"][path].update(methods);
    document["components"]["schemas"].update(made["components"]["schemas"]);
    keep_one_type(document);
    return document.dump(/*indent=*/2);
}

}  // namespace

std::string const& openapi_document()
{
    static auto const document = make_document();
    return document;
}

}  // namespace gapless
