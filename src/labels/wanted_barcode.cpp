#include "labels/wanted_barcode.hpp"

#include "formats/presentation.hpp"
#include "http/request_body.hpp"
#include "labels/barcode_handlers.hpp"
#include "labels/zpl.hpp"

#include <algorithm>

namespace gapless {

namespace {

format_result<std::string> draw(
    bound_format const& format,
    std::int64_t serial,
    wanted_barcode const& wanted,
    barcode_writer write
)
{
    auto const content = to_barcode(format, serial, wanted.parameters);
    if (content.has_error())
        return content.error();
    auto const symbol = read_symbol_data(*content, format.to_number(serial));
    if (symbol.has_error())
        return symbol.error();
    std::string text;
    if (wanted.with_text)
    {
        auto hrt = to_hrt(format, serial, wanted.parameters);
        if (hrt.has_error())
            return hrt.error();
        text = std::move(*hrt);
    }
    return write(*symbol, text, wanted.size);
}

}  // namespace

result<wanted_barcode> read_wanted_barcode(exchange const& current, bound_format const& format)
{
    for (auto const& [name, value] : current.more_query)
        if (format.format().find_parameter(name) == nullptr)
            return refusal{
                refusal_kind::malformed_request,
                "The query has an unknown parameter: the format " + format.format().name() +
                    " has none of that name."};
    auto const query = read_query<queries::barcode_query>(current);
    if (query.has_error())
        return query.error();
    print_size size;
    size.dots_per_inch = static_cast<int>(query->dpi);
    if (std::ranges::find(dots_per_inch_known, size.dots_per_inch) == dots_per_inch_known.end())
        return beyond_bounds("The query parameter dpi has to be 203, 300 or 600.");
    size.module_dots =
        query->module ? static_cast<int>(*query->module) : usual_module_dots(size.dots_per_inch);
    size.height_mm = static_cast<int>(query->height_mm);
    return wanted_barcode{size, query->text.value_or(true), current.more_query};
}

result<std::string> write_barcode(
    bound_format const& format,
    std::int64_t serial,
    wanted_barcode const& wanted,
    barcode_writer write
)
{
    auto file = draw(format, serial, wanted, write);
    if (file.has_error())
        return beyond_bounds("The barcode cannot be drawn: " + file.error().reason + ".");
    return std::move(*file);
}

format_result<std::string> write_barcode_field(
    symbol_data const& symbol, std::string_view text, print_size const& size
)
{
    // The printer would print anything, so only data that the library accepts gets there.
    auto const checked = draw_barcode(symbol, {}, size);
    if (checked.has_error())
        return checked.error();
    return to_zpl(symbol, !text.empty(), size);
}

}  // namespace gapless
