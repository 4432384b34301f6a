#include "http/barcode_handlers.hpp"

#include "barcode/png.hpp"
#include "barcode/svg.hpp"
#include "barcode/zpl.hpp"
#include "domain/format/presentation.hpp"

#include <algorithm>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// What the query asks for.
struct wanted_barcode
{
    print_size size;
    bool with_text{true};
    parameter_values parameters;
};

/// A barcode as a file. `text` is empty when none is wanted.
using barcode_writer =
    format_result<std::string> (*)(symbol_data const&, std::string_view, print_size const&);

refusal out_of_range(std::string detail)
{
    return {refusal_kind::out_of_range, std::move(detail)};
}

result<print_size> read_size(query_values const& query)
{
    print_size size;
    auto const dpi = query.read_integer("dpi", 0, dots_per_inch_known.back());
    if (dpi.has_error())
        return dpi.error();
    size.dots_per_inch = static_cast<int>(dpi->value_or(size.dots_per_inch));
    if (std::ranges::find(dots_per_inch_known, size.dots_per_inch) == dots_per_inch_known.end())
        return out_of_range("The query parameter dpi has to be 203, 300 or 600.");

    auto const module = query.read_integer("module", 1, module_dots_max);
    if (module.has_error())
        return module.error();
    size.module_dots = static_cast<int>(module->value_or(usual_module_dots(size.dots_per_inch)));

    auto const height = query.read_integer("height_mm", height_mm_min, height_mm_max);
    if (height.has_error())
        return height.error();
    size.height_mm = static_cast<int>(height->value_or(size.height_mm));
    return size;
}

result<wanted_barcode> read_wanted(exchange const& current)
{
    auto const& format = current.series->format.format();
    for (auto const& [name, value] : current.more_query)
        if (format.find_parameter(name) == nullptr)
            return refusal{
                refusal_kind::malformed_request,
                "The query has an unknown parameter: the format " + format.name() +
                    " has none of that name."};
    auto const size = read_size(current.query);
    if (size.has_error())
        return size.error();
    auto const with_text = current.query.read_truth("text");
    if (with_text.has_error())
        return with_text.error();
    return wanted_barcode{*size, with_text->value_or(true), current.more_query};
}

result<void> check_state(std::string const& number, std::string_view state)
{
    if (state == "free")
        return refusal{
            refusal_kind::state_conflict,
            "The number " + number + " is free: it has a barcode once it is issued."};
    if (state == "voided")
        return refusal{
            refusal_kind::state_conflict,
            "The number " + number + " is voided: it must not get on a parcel."};
    return {};
}

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

asio::awaitable<result<void>> answer_with(
    exchange& current, barcode_writer write, std::string_view content_type
)
{
    auto const wanted = read_wanted(current);
    if (wanted.has_error())
        co_return wanted.error();
    std::string number{current.path[1]};
    auto const found = co_await current.service().read_number(current.series, std::move(number));
    if (found.has_error())
        co_return found.error();
    auto const& format = current.series->format;
    auto const checked = check_state(format.to_number(found->serial), found->state);
    if (checked.has_error())
        co_return checked.error();
    auto file = draw(format, found->serial, *wanted, write);
    if (file.has_error())
        co_return out_of_range("The barcode cannot be drawn: " + file.error().reason + ".");
    current.out.content_type = content_type;
    current.out.body = std::move(*file);
    co_return result<void>{};
}

format_result<std::string> write_svg(
    symbol_data const& symbol, std::string_view text, print_size const& size
)
{
    auto const drawn = draw_barcode(symbol, text, size);
    if (drawn.has_error())
        return drawn.error();
    return to_svg(*drawn, size);
}

format_result<std::string> write_png(
    symbol_data const& symbol, std::string_view text, print_size const& size
)
{
    auto const painted = paint_barcode(symbol, text, size);
    if (painted.has_error())
        return painted.error();
    return to_png(*painted, size);
}

format_result<std::string> write_zpl(
    symbol_data const& symbol, std::string_view text, print_size const& size
)
{
    // The printer would print anything; only data the library takes gets there.
    auto const checked = draw_barcode(symbol, {}, size);
    if (checked.has_error())
        return checked.error();
    return to_zpl(symbol, !text.empty(), size);
}

}  // namespace

asio::awaitable<result<void>> get_barcode_svg(exchange& current)
{
    return answer_with(current, write_svg, media_type::svg);
}

asio::awaitable<result<void>> get_barcode_png(exchange& current)
{
    return answer_with(current, write_png, media_type::png);
}

asio::awaitable<result<void>> get_barcode_zpl(exchange& current)
{
    return answer_with(current, write_zpl, media_type::zpl);
}

}  // namespace gapless
