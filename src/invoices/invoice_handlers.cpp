#include "invoices/invoice_handlers.hpp"

#include "base/idempotency_key.hpp"
#include "http/request_body.hpp"
#include "invoices/reconcile_invoice.hpp"

namespace gapless {

namespace asio = boost::asio;

namespace {

result<invoice_wants> read_wants(exchange const& current, csv_style& style)
{
    if (auto const checked = check_csv_type(current); checked.has_error())
        return checked.error();
    if (current.head.idempotency_key)
        if (auto const key = read_idempotency_key(*current.head.idempotency_key); key.has_error())
            return key.error();
    auto query = read_query<queries::invoice_query>(current);
    if (query.has_error())
        return query.error();
    style.excel = query->excel;
    invoice_wants wants;
    wants.file = "the invoice";
    wants.columns = {std::move(query->column), std::move(query->amount_column)};
    auto const issued = read_period(query->from, query->to);
    if (issued.has_error())
        return issued.error();
    wants.issued = *issued;
    return wants;
}

}  // namespace

asio::awaitable<result<void>> post_reconciliation(exchange& current)
{
    csv_style style;
    auto wants = read_wants(current, style);
    if (wants.has_error())
        co_return wants.error();
    cases::reconcile_invoice wanted{
        .series = current.series,
        .bytes = std::make_shared<std::string const>(current.body),
        .wants = std::move(*wants),
        .csv = current.head.prefers_csv,
        .style = style,
        .told_in = current.head.text_language};
    auto text = co_await current.service<record_service>().compare(std::move(wanted));
    if (text.has_error())
        co_return text.error();
    current.out.body = std::move(*text);
    if (current.head.prefers_csv)
        current.out.content_type = media_type::csv;
    co_return result<void>{};
}

}  // namespace gapless
