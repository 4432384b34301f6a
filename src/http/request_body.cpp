#include "http/request_body.hpp"

#include "base/idempotency_key.hpp"
#include "base/limits.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"

#include <boost/beast/core/string.hpp>
#include <nlohmann/json.hpp>

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

/// The key without its quotes, if it has any; read_idempotency_key has accepted it.
std::string unquoted(std::string_view key)
{
    if (!key.starts_with('"'))
        return std::string{key};
    std::string text;
    for (std::size_t n = 1; n + 1 < key.size(); ++n)
    {
        if (key[n] == '\\')
            ++n;
        text += key[n];
    }
    return text;
}

/// Equal for any two bodies that mean the same: removes null members and blanks of an object.
/// Anything else stays as it is. Parts nested deeper than any valid body are left out and refused
/// when the body is read: writing JSON recurses.
std::string to_canonical_json(std::string_view text)
{
    constexpr int depth_max = 4;
    auto const is_shallow = [](int depth, nlohmann::ordered_json::parse_event_t, auto const&) {
        return depth <= depth_max;
    };
    auto object = nlohmann::ordered_json::parse(
        text.begin(), text.end(), is_shallow, /*allow_exceptions=*/false
    );
    if (!object.is_object())
        return std::string{text};
    for (auto member = object.begin(); member != object.end();)
        member = member->is_null() ? object.erase(member) : std::next(member);
    return object.dump();
}

secret_hash fingerprint(exchange const& current)
{
    std::string asked;
    asked.reserve(current.head.target.size() + current.body.size() + 16);
    asked.append(current.head.method).append(1, ' ');
    asked.append(current.head.target).append(1, '\n');
    asked.append(to_canonical_json(current.body));
    return sha256(asked);
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
    if (current.body.empty() || (current.head.content_type && is_json(*current.head.content_type)))
        return {};
    auto const takes_csv = current.matched->body == body_size::large && !current.matched->does;
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
        .owner_id = current.who->owner_id,
        .key = unquoted(*current.head.idempotency_key),
        .fingerprint = fingerprint(current)}};
}

void write_kept(exchange& current, rendered_answer made)
{
    current.out.status = made.answer.status;
    current.out.location = std::move(made.answer.location);
    current.out.body = std::move(made.answer.body);
    current.out.replayed = made.replayed;
}

}  // namespace gapless
