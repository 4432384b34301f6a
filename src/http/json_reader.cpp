#include "http/json_reader.hpp"

#include "base/contract.hpp"
#include "http/field_handler.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace gapless {

result<void> read_json_object(
    std::string_view text, std::span<json_field const> fields, null_means null
)
{
    ensure(fields.size() <= json_fields_max, "an object has few fields");
    // nlohmann 3.11 skips a byte order mark and takes a NUL for the end of the text.
    if (text.starts_with("\xef\xbb\xbf"))
        return refusal{refusal_kind::malformed_request, "The body begins with a byte order mark."};
    if (text.find('\0') != std::string_view::npos)
        return refusal{refusal_kind::malformed_request, "The body holds a NUL byte."};

    field_handler handler{fields, null};
    nlohmann::json::sax_parse(text.begin(), text.end(), &handler);
    if (handler.problem())
        return refusal{handler.kind(), *handler.problem()};
    return {};
}

std::string to_canonical_json(std::string_view text)
{
    auto object = nlohmann::ordered_json::parse(
        text.begin(), text.end(), /*cb=*/nullptr, /*allow_exceptions=*/false
    );
    if (!object.is_object())
        return std::string{text};
    for (auto member = object.begin(); member != object.end();)
        member = member->is_null() ? object.erase(member) : std::next(member);
    return object.dump();
}

result<std::int64_t> read_decimal(
    std::string_view field, std::string const& digits, std::int64_t most
)
{
    std::int64_t number{};
    auto const read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (read.ec != std::errc{} || number > most)
        return refusal{
            refusal_kind::out_of_range,
            "The field \"" + std::string{field} + "\" has to be at most " + std::to_string(most) +
                "."};
    return number;
}

}  // namespace gapless
