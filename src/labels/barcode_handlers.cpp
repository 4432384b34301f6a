#include "labels/barcode_handlers.hpp"

#include "base/moment.hpp"
#include "labels/svg.hpp"
#include "labels/wanted_barcode.hpp"
#include "numbers/number_cases.hpp"

#include <fmt/format.h>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// Refuses a number that must not get on a parcel here.
result<void> check_state(numbers::number_record const& found)
{
    auto const& number = found.number.printed;
    auto const& state = found.state;
    // In an outage the instance that has it may answer with it.
    if (found.on_lease)
        return refusal{
            refusal_kind::on_lease,
            fmt::format(
                "number {} is on lease at {} since {}; repeat later",
                number,
                found.on_lease.value.host,
                to_rfc3339(found.on_lease.value.since)
            )};
    if (state == "elsewhere")
        return refusal{
            refusal_kind::state_conflict,
            "number " + number + " was issued elsewhere, before its block was loaded"};
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

asio::awaitable<result<void>> answer_with(
    exchange& current, barcode_writer write, std::string_view content_type
)
{
    auto const& format = current.series->format;
    auto const wanted = read_wanted_barcode(current, format);
    if (wanted.has_error())
        co_return wanted.error();
    cases::look_up_number look_up{current.series, std::string{current.path[1]}};
    auto const found = co_await current.service<record_service>().read(std::move(look_up));
    if (found.has_error())
        co_return found.error();
    auto const checked = check_state(*found);
    if (checked.has_error())
        co_return checked.error();
    auto file = write_barcode(format, found->serial, *wanted, write);
    if (file.has_error())
        co_return file.error();
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

}  // namespace

asio::awaitable<result<void>> get_barcode_svg(exchange& current)
{
    return answer_with(current, write_svg, media_type::svg);
}

asio::awaitable<result<void>> get_barcode_zpl(exchange& current)
{
    return answer_with(current, write_barcode_field, media_type::zpl);
}

}  // namespace gapless
