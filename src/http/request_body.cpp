#include "http/request_body.hpp"

#include "base/idempotency_key.hpp"
#include "base/limits.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "http/target.hpp"

#include <boost/beast/core/string.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace gapless {

namespace {

using boost::beast::iequals;

std::string_view take_word(std::string_view& text, char end) noexcept
{
    auto word = text.substr(0, text.find(end));
    text.remove_prefix(word.size() < text.size() ? word.size() + 1 : word.size());
    return trimmed(word);
}

/// application/json, with no parameter other than charset=utf-8.
bool is_json(std::string_view content_type) noexcept
{
    if (content_type == "application/json")
        return true;
    if (!iequals(take_word(content_type, ';'), "application/json"))
        return false;
    while (!content_type.empty())
    {
        auto const parameter = take_word(content_type, ';');
        if (!iequals(parameter, "charset=utf-8") && !iequals(parameter, "charset=\"utf-8\""))
            return false;
    }
    return true;
}

/// Writes integers as strings of digits, which the routes take as well.
void write_digits_as_text(nlohmann::json& value)
{
    if (value.is_number_integer())
        value = value.dump();
    else if (value.is_structured())
        std::ranges::for_each(value, write_digits_as_text);
}

/// Whether JSON is nested no deeper than any valid body. Not asked of nlohmann's parser, whose
/// callback looks through the whole list again after each object in it.
bool is_shallow(std::string_view text) noexcept
{
    constexpr int depth_max = 4;
    int depth = 0;
    bool in_text = false;
    for (std::size_t n = 0; n < text.size() && depth <= depth_max; ++n)
    {
        auto const c = text[n];
        if (in_text && c == '\\')
            ++n;
        else if (c == '"')
            in_text = !in_text;
        else if (!in_text)
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    }
    return depth <= depth_max;
}

/// Equal for any two bodies that mean the same: an object without blanks, the order of members and,
/// unless they mean something (PATCH), null members. Anything else stays as it is, and so does what
/// is nested too deeply, which is refused when the body is read: writing JSON recurses.
std::string to_canonical_json(std::string_view text, bool keeps_null)
{
    if (!is_shallow(text))
        return std::string{text};
    auto object = nlohmann::json::parse(
        text.begin(), text.end(), /*callback=*/nullptr, /*allow_exceptions=*/false
    );
    if (!object.is_object())
        return std::string{text};
    if (!keeps_null)
        std::erase_if(object.get_ref<nlohmann::json::object_t&>(), [](auto const& member) {
            return member.second.is_null();
        });
    write_digits_as_text(object);
    return object.empty() ? std::string{} : object.dump();
}

/// Equal for any two spellings of a target: decoded, its parameters in order. A router has read it.
std::string to_canonical_target(std::string_view target)
{
    auto const decoded = [](std::string_view text) {
        auto read = decode_percent(text);
        return read.has_error() ? std::string{text} : std::move(*read);
    };
    std::vector<std::string> parts;
    auto query = target.substr(std::min(target.find('?'), target.size()));
    auto path = decoded(target.substr(0, target.size() - query.size()));
    while (!query.empty())
    {
        query.remove_prefix(1);  // ? or &
        auto const each = query.substr(0, query.find('&'));
        query.remove_prefix(each.size());
        if (!each.empty() && each != "dry_run=false")
            parts.push_back(decoded(each));
    }
    std::ranges::sort(parts);
    for (auto const& each : parts)
        path.append(1, '\n').append(each);
    return path;
}

/// The same for any two requests that mean the same. In halves, so that a refusal can say what
/// differs.
secret_hash fingerprint(exchange const& current)
{
    auto print =
        sha256(std::string{current.head.method} + ' ' + to_canonical_target(current.head.target));
    auto const body =
        sha256(to_canonical_json(current.body, /*keeps_null=*/current.head.method == "PATCH"));
    std::ranges::copy_n(body.begin(), print.size() / 2, print.begin() + print.size() / 2);
    return print;
}

refusal wrong_type(exchange const& current, std::string_view wanted)
{
    constexpr std::size_t shown_bytes_max = 100;
    auto const& type = current.head.content_type;
    std::string detail{type ? "Content-Type is " : "Content-Type is missing"};
    detail.append(type.value_or(std::string_view{}).substr(0, shown_bytes_max));
    return {refusal_kind::unsupported_media_type, detail.append(": send ").append(wanted) + '.'};
}

}  // namespace

result<void> check_body_type(exchange const& current)
{
    auto const takes_csv = current.matched->takes_csv;
    if (current.body.empty())
        return {};
    if (current.head.content_type && is_json(*current.head.content_type))
    {
        if (auto const begin = current.body.find_first_not_of(" \t\r\n");
            takes_csv && begin != std::string::npos && current.body[begin] != '{')
            return refusal{
                refusal_kind::malformed_request,
                "The body is not a JSON object: it does not begin with {. A table is sent as "
                "Content-Type: text/csv."};
        return {};
    }
    return wrong_type(
        current,
        takes_csv ? "application/json in UTF-8, or a table as text/csv"
                  : "the body as application/json in UTF-8"
    );
}

result<void> check_csv_type(exchange const& current)
{
    auto type = current.head.content_type.value_or(std::string_view{});
    auto const kind = take_word(type, ';');
    if (iequals(kind, "text/csv") || iequals(kind, "text/plain"))
        return {};
    return wrong_type(current, "the file as text/csv");
}

result<void> read_body_into(
    exchange const& current, input_type const& type, std::span<raw_value> values, void* into
)
{
    if (auto const checked = check_body_type(current); checked.has_error())
        return checked.error();
    return result_of([&] {
        if (!current.body.empty())
            read_object(current.body, type.fields, values);
        fill_record(type, values, word_for_body, into);
    });
}

result<void> read_no_fields(exchange const& current)
{
    if (auto const checked = check_body_type(current); checked.has_error())
        return checked.error();
    return result_of([&] {
        if (!current.body.empty())
            read_object(current.body, {}, {});
    });
}

result<void> read_query_into(
    exchange const& current, input_type const& type, std::span<raw_value> values, void* into
)
{
    return result_of([&] {
        for (std::size_t n = 0; n < values.size(); ++n)
            if (auto const text = current.query.find(type.fields[n].name))
                values[n] = std::string{*text};
        fill_record(type, values, word_for_query, into);
    });
}

result<void> check_reference(std::optional<std::string>& reference)
{
    if (reference && reference->empty())
        reference.reset();
    if (reference && count_characters(*reference) > reference_characters_max)
        return refusal{
            refusal_kind::out_of_range,
            "The field \"reference\" has to have at most " +
                std::to_string(reference_characters_max) + " characters."};
    return {};
}

result<std::optional<request_identity>> read_identity(exchange const& current)
{
    if (!current.head.idempotency_key)
        return std::optional<request_identity>{};
    auto const key = read_idempotency_key(*current.head.idempotency_key);
    if (key.has_error())
        return key.error();
    return std::optional{request_identity{
        .owner_id = current.who->owner_id, .key = *key, .fingerprint = fingerprint(current)}};
}

void write_kept(exchange& current, rendered_answer made)
{
    current.out.status = made.answer.status;
    current.out.location = std::move(made.answer.location);
    current.out.body = std::move(made.answer.body);
    current.out.etag = std::move(made.answer.etag);
    current.out.replayed = made.replayed;
}

}  // namespace gapless
