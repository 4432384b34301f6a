#include "http/openapi.hpp"

#include "http/embedded_documents.hpp"
#include "http/route.hpp"
#include "operation/openapi.hpp"
#include "record/schema.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace gapless {

namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view schemas_place{"#/components/schemas/"};

std::string method_name(boost::beast::http::verb verb)
{
    std::string name{to_string(verb)};
    std::ranges::transform(name, name.begin(), [](char c) { return static_cast<char>(c | 0x20); });
    return name;
}

/// Says of a hand-written route what its row says, and how requests like it are refused. What the
/// document says of it already is kept.
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
    for (auto const& [status, name] : usual_refusals(in_path, !of.query.empty(), has_body))
        if (auto const code = std::to_string(status); !responses.contains(code))
            responses[code]["$ref"] = "#/components/responses/" + std::string{name};
}

std::string make_document()
{
    auto document = json::parse(embedded_openapi());
    for (auto const& each : routes())
        if (!each.does)
            complete(document, each);
    std::string text;
    append_openapi(text, features());
    auto const made = json::parse(text);
    for (auto const& [path, methods] : made["paths"].items())
        document["paths"][path].update(methods);
    document["components"]["schemas"].update(made["components"]["schemas"]);
    return document.dump(/*indent=*/2);
}

}  // namespace

std::string const& openapi_document()
{
    static auto const document = make_document();
    return document;
}

}  // namespace gapless
