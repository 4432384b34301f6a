#include "formats/data_template.hpp"

#include "formats/number_declaration.hpp"

#include <algorithm>
#include <charconv>

namespace gapless {
namespace {

// Reads "2" or "0-14" after {number@.
bool read_slice(std::string_view text, data_piece& piece)
{
    auto const* const end = text.data() + text.size();
    auto [next, error] = std::from_chars(text.data(), end, piece.first);
    if (error != std::errc{} || piece.first >= number_characters_max)
        return false;
    if (next == end)
        return true;
    if (*next != '-')
        return false;
    auto const [last, last_error] = std::from_chars(next + 1, end, piece.last);
    return last_error == std::errc{} && last == end && piece.first < piece.last &&
           piece.last <= number_characters_max;
}

format_result<data_piece> read_data_field(std::string_view field)
{
    data_piece piece{};
    if (field == "number" || field.starts_with("number@"))
    {
        piece.kind = data_piece_kind::number;
        if (field != "number" && !read_slice(field.substr(field.find('@') + 1), piece))
            return format_refusal{
                "'", printable(field), "' is no slice; write number@2 or number@0-14"};
        return piece;
    }

    piece.kind = data_piece_kind::parameter;
    auto const has_spec = field.find(':') != field.npos;
    auto spec = read_parameter_spec(has_spec ? field : std::string{field} + ":X1");
    if (spec.has_error())
        return spec.error();
    piece.spec = *spec;
    piece.text = spec->name;
    if (!has_spec)
        piece.spec.length_min = piece.spec.length_max = 0;
    return piece;
}

}  // namespace

format_result<std::vector<data_piece>> read_data_template(
    std::string_view what, std::string_view text
)
{
    if (text.size() > template_characters_max)
        return format_refusal{
            what, " has more than ", std::to_string(template_characters_max), " characters"};

    std::vector<data_piece> pieces;
    auto const refused = [&](std::size_t at, std::string_view why) {
        return format_refusal{what, " position ", std::to_string(at + 1), ": ", why};
    };
    for (std::size_t at = 0; at < text.size();)
    {
        auto const character = text[at];
        if (character == '}' || character < ' ' || character > '~')
            return refused(at, character == '}' ? "'}' without '{'" : "not printable ASCII");
        if (character != '{')
        {
            if (pieces.empty() || pieces.back().kind != data_piece_kind::literal)
                pieces.push_back({.position = at + 1});
            pieces.back().text += character;
            ++at;
            continue;
        }
        auto const end = text.find('}', at);
        if (end == text.npos)
            return refused(at, "'{' without '}'");
        auto piece = read_data_field(text.substr(at + 1, end - at - 1));
        if (piece.has_error())
            return refused(at, piece.error().reason);
        piece->position = at + 1;
        pieces.push_back(std::move(*piece));
        at = end + 1;
    }
    return pieces;
}

bool is_mask(std::string_view text) noexcept
{
    return text.find('#') != text.npos && text.find('{') == text.npos;
}

std::string lay_out(std::string_view mask, std::string_view number)
{
    std::string laid_out;
    auto next = number.begin();
    for (auto const character : mask)
        laid_out += character == '#' && next != number.end() ? *next++ : character;
    return laid_out;
}

format_result<std::string> fill_in(
    std::span<data_piece const> pieces, std::string_view number, parameter_values const& values
)
{
    std::string text;
    for (auto const& piece : pieces)
        switch (piece.kind)
        {
        case data_piece_kind::literal: text += piece.text; break;
        case data_piece_kind::number:
            text += number.substr(
                piece.first, piece.last == 0 ? number.npos : piece.last - piece.first
            );
            break;
        case data_piece_kind::parameter: {
            auto const value = values.find(piece.text);
            if (value == values.end())
                return format_refusal{
                    "the parameter ", piece.text, " is missing: ", description_of(piece.spec)};
            text += value->second;
            break;
        }
        }
    return text;
}

}  // namespace gapless
