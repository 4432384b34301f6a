#include "domain/format/presentation.hpp"

#include <span>

namespace gapless {
namespace {

// The parameters of the series and of the request as one.
format_result<parameter_values> merged(bound_format const& format, parameter_values const& request)
{
    auto values = format.format().read_parameters(request);
    if (values.has_error())
        return values.error();
    for (auto const& [name, fixed] : format.parameters())
    {
        auto const [known, is_new] = values->emplace(name, fixed);
        if (!is_new && known->second != fixed)
            return format_refusal{
                "parameter ", name, " is ", fixed, " in this series, not ", known->second};
    }
    return values;
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

}  // namespace

format_result<std::string> to_hrt(
    bound_format const& format, std::int64_t serial, parameter_values const& request
)
{
    auto const values = merged(format, request);
    if (values.has_error())
        return values.error();
    auto const number = format.to_number(serial);
    auto const& hrt = format.format().declaration().hrt;
    if (hrt.empty())
        return number;
    return is_mask(hrt) ? lay_out(hrt, number) : fill_in(format.format().hrt(), number, *values);
}

format_result<barcode_content> to_barcode(
    bound_format const& format, std::int64_t serial, parameter_values const& request
)
{
    auto const values = merged(format, request);
    if (values.has_error())
        return values.error();
    auto data = fill_in(format.format().barcode(), format.to_number(serial), *values);
    if (data.has_error())
        return data.error();
    return barcode_content{format.format().declaration().barcode.symbology, std::move(*data)};
}

}  // namespace gapless
