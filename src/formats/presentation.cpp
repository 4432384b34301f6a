#include "formats/presentation.hpp"

#include "formats/data_template.hpp"

namespace gapless {
namespace {

// Merges the parameters of the series and of the request.
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
