#include "record/openapi_schema.hpp"

#include "record/principal.hpp"
#include "record/schema.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace gapless {

namespace {

constexpr std::string_view method_names[]{"", "get", "post", "patch", "delete"};

std::string_view method_name(http_method method)
{
    return method_names[static_cast<int>(method)];
}

void append_member(std::string& json, std::string_view name, std::string_view text)
{
    if (text.empty())
        return;
    append_json_string(json += json.back() == '{' ? "" : ",", name);
    append_json_string(json += ':', text);
}

/// What an operation does, as a word: its verb ("show" becomes "read"), else the last part of its
/// path, "test" of /v1/webhooks/{id}/test, or the meaning of its method.
std::string_view word_for(operation const& each)
{
    if (!each.verb.empty() && each.verb != "show")
        return each.verb;
    auto const last = each.path.substr(each.path.rfind('/') + 1);
    if (each.method == http_method::post && each.path_fields() > 0 && !last.starts_with('{'))
        return last;
    switch (each.method)
    {
    case http_method::get: return each.answer->is_list ? "list" : "read";
    case http_method::post: return "create";
    case http_method::patch: return "change";
    case http_method::delete_: break;
    }
    return "delete";
}

std::string plural_of(feature const& of)
{
    return of.plural.empty() ? std::string{of.noun} + 's' : std::string{of.plural};
}

/// listWebhooks: word and noun, unless the row has an id of its own.
std::string id_of(feature const& of, operation const& each)
{
    if (!each.id.empty())
        return std::string{each.id};
    std::string id{word_for(each)};
    auto const noun = each.answer->is_list ? plural_of(of) : std::string{of.noun};
    id += static_cast<char>(noun.front() - 'a' + 'A');
    return id + noun.substr(1);
}

bool takes_if_match(operation const& each)
{
    return std::ranges::any_of(each.input->fields, [](input_field const& field) {
        return field.accepts == takes_header;
    });
}

void append_parameters(std::string& json, operation const& each)
{
    auto const in_path = each.path_fields();
    json += R"(,"parameters":[)";
    for (std::size_t n = 0; n < (each.takes_body() ? in_path : each.input->fields.size()); ++n)
    {
        auto const& field = each.input->fields[n];
        if (field.accepts == takes_header)
            continue;
        json += json.back() == '[' ? "{" : ",{";
        append_member(json, "name", field.name);
        append_member(json, "in", n < in_path ? "path" : "query");
        append_member(json, "description", field.about.text);
        json += n < in_path ? R"(,"required":true)" : "";
        append_input_schema(json += R"(,"schema":{)", field, /*in_body=*/false);
        json += "}}";
    }
    auto const refer_to = [&](std::string_view name) {
        json += json.back() == '[' ? "" : ",";
        json.append(R"({"$ref":"#/components/parameters/)").append(name).append("\"}");
    };
    if (each.takes_body())
        refer_to("Key");
    if (takes_if_match(each))
        refer_to("IfMatch");
    json += ']';
}

void append_reference(std::string& json, std::string_view name)
{
    json.append(R"({"$ref":"#/components/schemas/)").append(name).append("\"}");
}

std::string answer_title(operation const& each)
{
    return schema_title(each.answer->name) + (each.answer->is_list ? "List" : "");
}

/// A body without parts from the path is named after its struct.
bool has_named_body(operation const& each)
{
    return each.takes_body() && each.path_fields() == 0;
}

void append_body_schema(std::string& json, operation const& each)
{
    append_object_schema(json, each.input->fields.subspan(each.path_fields()));
}

void append_body(std::string& json, operation const& each)
{
    auto const fields = each.input->fields.subspan(each.path_fields());
    auto const required = std::ranges::any_of(fields, &input_field::required);
    json += R"(,"requestBody":{"required":)";
    json += required ? "true" : "false";
    json += R"(,"content":{"application/json":{"schema":)";
    if (has_named_body(each))
        append_reference(json, schema_title(each.input->name));
    else
        append_body_schema(json, each);
    json += "}}}";
}

void append_success(std::string& json, operation const& each, int status)
{
    json += json.back() == '{' ? "\"" : ",\"";
    json += std::to_string(status) + R"(":{"description":)";
    append_json_string(json, status == 204 ? "Done." : each.summary);
    if (status == 201 && each.has_location)
        json += R"(,"headers":{"Location":{"$ref":"#/components/headers/Location"}})";
    else if (each.answer->has_version)
        json += R"(,"headers":{"ETag":{"$ref":"#/components/headers/ETag"}})";
    if (status != 204)
    {
        json += R"(,"content":{"application/json":{"schema":)";
        append_reference(json, answer_title(each));
        json += "}}";
    }
    json += '}';
}

void append_responses(std::string& json, operation const& each)
{
    auto const problem = [&](int status, std::string_view name) {
        json += ",\"" + std::to_string(status) + R"(":{"$ref":"#/components/responses/)";
        json.append(name).append("\"}");
    };
    json += R"(,"responses":{)";
    append_success(json, each, each.status);
    if (each.answer->may_wait)
        append_success(json, each, 202);
    if (each.method == http_method::post || each.conflicts)
        problem(409, "Conflict");
    if (takes_if_match(each))
        problem(412, "PreconditionFailed");
    auto const in_path = each.path_fields() > 0;
    auto const in_query = !each.takes_body() && each.input->fields.size() > each.path_fields();
    for (auto const& [status, name] : usual_refusals(in_path, in_query, each.takes_body()))
        problem(status, name);
    json += '}';
}

void append_operation(std::string& json, feature const& of, operation const& each)
{
    append_json_string(json, method_name(each.method));
    json += ":{";
    append_member(json, "operationId", id_of(of, each));
    json.append(R"(,"tags":[")")
        .append(of.tag.empty() ? plural_of(of) : std::string{of.tag})
        .append("\"]");
    append_member(json, "summary", each.summary);
    append_member(json, "description", each.description);
    json += R"(,"security":[{"bearer":[)";
    append_json_string(json, name_of(each.needs));
    json += "]}]";
    append_parameters(json, each);
    if (each.takes_body())
        append_body(json, each);
    append_responses(json, each);
    json += '}';
}

/// Appends one path with all its methods, wherever they are in the table.
void append_path(std::string& json, feature const& of, std::string_view path)
{
    append_json_string(json += json.back() == '{' ? "" : ",", path);
    json += ":{";
    for (auto const& each : of.operations)
        if (each.path == path)
            append_operation(json += json.back() == '{' ? "" : ",", of, each);
    json += '}';
}

/// The schemas that operations refer to, each once.
class named_schemas
{
public:
    void add(operation const& each)
    {
        if (has_named_body(each))
            if (auto* const schema = begin(schema_title(each.input->name)))
                append_body_schema(*schema, each);
        if (each.status == 204)
            return;
        auto const item = schema_title(each.answer->name);
        if (auto* const schema = begin(item))
            each.answer->append_schema(*schema);
        auto* const list = each.answer->is_list ? begin(answer_title(each)) : nullptr;
        if (list == nullptr)
            return;
        *list += R"({"type":"object","additionalProperties":false,"required":["items","next"],)"
                 R"("properties":{"items":{"type":"array","items":)";
        append_reference(*list, item);
        *list += R"(},"next":{"type":["string","null"],)"
                 R"("description":"Null where no more follow."}}})";
    }

    void append(std::string& json) const { json += json_; }

private:
    /// Where to write it; null: it is already written.
    std::string* begin(std::string const& title)
    {
        if (!known_.insert(title).second)
            return nullptr;
        append_json_string(json_ += json_.empty() ? "" : ",", title);
        return &(json_ += ':');
    }

    std::set<std::string> known_;
    std::string json_;
};

}  // namespace

std::vector<described_refusal> usual_refusals(bool in_path, bool in_query, bool in_body)
{
    std::vector<described_refusal> all{
        {400, "Malformed"}, {401, "Unauthenticated"}, {403, "Forbidden"}};
    if (in_path)
        all.emplace_back(404, "NotFound");
    if (in_body)
    {
        all.emplace_back(413, "TooLarge");
        all.emplace_back(415, "UnsupportedMediaType");
    }
    if (in_body || in_query)
        all.emplace_back(422, "Unprocessable");
    all.emplace_back(429, "TooManyRequests");
    all.emplace_back(503, "Unavailable");
    return all;
}

std::string schema_title(std::string_view name)
{
    std::string title;
    for (std::size_t n = 0; n < name.size(); ++n)
        if (name[n] != '_')
            title +=
                n == 0 || name[n - 1] == '_' ? static_cast<char>(name[n] - 'a' + 'A') : name[n];
    return title;
}

void append_openapi(std::string& json, std::span<feature const* const> of)
{
    named_schemas schemas;
    json += R"({"paths":{)";
    for (auto const* each : of)
    {
        std::vector<std::string_view> written;
        for (auto const& operation : each->operations)
        {
            if (operation.path.empty())
                continue;
            schemas.add(operation);
            if (std::ranges::find(written, operation.path) == written.end())
                append_path(json, *each, written.emplace_back(operation.path));
        }
    }
    schemas.append(json += R"(},"components":{"schemas":{)");
    json += "}}}";
}

}  // namespace gapless
