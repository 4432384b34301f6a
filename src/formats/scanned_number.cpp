#include "formats/scanned_number.hpp"

#include "formats/number_reader.hpp"

#include <algorithm>

namespace gapless {
namespace {

constexpr char unknown = '?';

// Where a parameter starts in the number; nullopt if something before it varies in length.
std::optional<std::size_t> offset_of(number_format const& format, std::string_view parameter)
{
    std::size_t offset{0};
    for (auto const& segment : format.segments())
    {
        auto const is_literal = segment.kind == segment_kind::literal;
        if (segment.kind == segment_kind::parameter && segment.parameter.name == parameter)
            return offset;
        if (!is_literal && segment.parameter.length_min != segment.parameter.length_max)
            return std::nullopt;
        offset += is_literal ? segment.text.size() : segment.parameter.length_min;
    }
    return std::nullopt;
}

// Writes a part of the number; returns false if another part of the barcode contradicts it.
bool fill(std::string& number, std::size_t at, std::string_view part)
{
    for (auto const character : part)
    {
        if (number[at] != unknown && number[at] != character)
            return false;
        number[at++] = character;
    }
    return true;
}

// Characters of the barcode without its one part of variable length; nothing if it has several.
std::optional<std::size_t> fixed_length(number_format const& format, data_piece const*& variable)
{
    std::size_t length{0};
    for (auto const& piece : format.barcode())
        switch (piece.kind)
        {
        case data_piece_kind::literal: length += to_bare(piece.text).size(); break;
        case data_piece_kind::number:
            length += (piece.last == 0 ? format.length_max() : piece.last) - piece.first;
            break;
        case data_piece_kind::parameter:
            if (piece.spec.length_min == piece.spec.length_max)
                length += piece.spec.length_max;
            else if (variable == nullptr)
                variable = &piece;
            else
                return std::nullopt;
            break;
        }
    return length;
}

std::optional<std::string> with_own_identifier(number_format const& format, std::string_view bare)
{
    auto const& declaration = format.declaration();
    auto const& first = format.segments().front();
    if (declaration.barcode.symbology != "gs1-128" || declaration.barcode.data != "{number}" ||
        first.kind != segment_kind::literal ||
        first.text.size() + bare.size() != format.length_max())
        return std::nullopt;
    return first.text + std::string{bare};
}

// With '?' for characters that the barcode does not carry.
std::optional<std::string> take_from_barcode(number_format const& format, std::string_view bare)
{
    if (auto number = with_own_identifier(format, bare))
        return number;

    data_piece const* variable{};
    auto const fixed = fixed_length(format, variable);
    auto const spare = fixed && *fixed <= bare.size() ? bare.size() - *fixed : std::size_t{0};
    auto const fits = variable == nullptr ? spare == 0
                                          : variable->spec.length_min <= spare &&
                                                spare <= variable->spec.length_max;
    if (!fixed || *fixed > bare.size() || !fits)
        return std::nullopt;

    std::string number(format.length_max(), unknown);
    std::size_t at{0};
    for (auto const& piece : format.barcode())
    {
        auto const literal = to_bare(piece.text);
        auto const length = &piece == variable                       ? spare
                            : piece.kind == data_piece_kind::literal ? literal.size()
                            : piece.kind == data_piece_kind::parameter
                                ? piece.spec.length_max
                                : (piece.last == 0 ? number.size() : piece.last) - piece.first;
        auto const part = bare.substr(at, length);
        at += length;
        auto const offset = offset_of(format, piece.text);
        if ((piece.kind == data_piece_kind::literal && part != literal) ||
            (piece.kind == data_piece_kind::number && !fill(number, piece.first, part)) ||
            (piece.kind == data_piece_kind::parameter &&
             !std::ranges::all_of(part, [&](char c) { return takes(piece.spec.characters, c); })) ||
            (piece.kind == data_piece_kind::parameter && offset && !fill(number, *offset, part)))
            return std::nullopt;
    }
    return number;
}

}  // namespace

std::optional<std::string> number_in_barcode(
    number_format const& format, std::string_view bare, bool without_check
)
{
    if (format.length_min() != format.length_max() || format.separators() > 0 ||
        bare.find(unknown) != bare.npos)
        return std::nullopt;
    auto number = take_from_barcode(format, bare);
    if (without_check && !number)
        number = take_from_barcode(format, std::string{bare} + unknown);
    auto const expected = format.length_max() - (without_check ? 1U : 0U);
    if (!number || std::min(number->find(unknown), number->size()) != expected)
        return std::nullopt;
    number->resize(expected);
    return number;
}

}  // namespace gapless
