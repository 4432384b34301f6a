#include "labels/label_handlers.hpp"

#include "http/series_lookup.hpp"
#include "labels/label_serials.hpp"
#include "labels/wanted_barcode.hpp"
#include "numbers/issuance_handlers.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr std::size_t labels_per_turn = 16;  // a third of a millisecond
constexpr int quiet_modules = 10;            // before and above the bars, as required by Code 128

/// Makes "^XA^FO30,30^BY3…^FS^XZ" and a line end.
result<std::string> write_label(
    bound_format const& format, std::int64_t serial, wanted_barcode const& wanted
)
{
    auto field = write_barcode(format, serial, wanted, write_barcode_field);
    if (field.has_error())
        return field.error();
    field->pop_back();  // its line end
    auto const origin = std::to_string(quiet_modules * wanted.size.module_dots);
    return "^XA^FO" + origin + ',' + origin + *field + "^XZ\n";
}

}  // namespace

asio::awaitable<result<void>> get_labels(exchange& current)
{
    auto const found = co_await find_issuance(current);
    if (found.has_error())
        co_return found.error();
    std::string name{found->series};
    auto const series = co_await current.service<series_lookup>().find_series(std::move(name));
    if (series.has_error())
        co_return series.error();
    auto const& format = (*series)->format;
    auto const wanted = read_wanted_barcode(current, format);
    if (wanted.has_error())
        co_return wanted.error();
    auto const serials = read_label_serials(found->value);
    if (serials.has_error())
        co_return serials.error();

    auto const executor = co_await asio::this_coro::executor;
    std::string labels;
    for (std::size_t place = 0; place < serials->size(); ++place)
    {
        if (place % labels_per_turn == labels_per_turn - 1)
            co_await asio::post(executor, asio::use_awaitable);
        auto const label = write_label(format, (*serials)[place], *wanted);
        if (label.has_error())
            co_return label.error();
        labels += *label;
    }
    current.out.content_type = media_type::zpl;
    current.out.body = std::move(labels);
    co_return result<void>{};
}

}  // namespace gapless
