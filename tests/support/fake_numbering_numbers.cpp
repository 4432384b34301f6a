#include "support/fake_numbering.hpp"

#include <boost/asio/post.hpp>

namespace gapless::test {

namespace asio = boost::asio;

void fake_numbering::add_number(std::string_view name, number_record record)
{
    numbers.push_back({&series.find(name)->second, std::move(record)});
}

result<found_number> fake_numbering::look_up(std::string_view number) const
{
    for (auto const& each : numbers)
        if (auto const read = each.series->format.read_number(number);
            read.has_value() && read->serial == each.record.serial)
            return each;
    return refusal{refusal_kind::unknown_number, "no series holds it"};
}

asio::awaitable<result<rendered_answer>> fake_numbering::settle_hold(
    issuance_id id,
    std::vector<serial_range> ranges,
    bool confirm,
    request_actor actor,
    std::optional<request_identity> identity,
    renderer<issuance_record> render
)
{
    identities.push_back(identity);
    settled.emplace_back(confirm, std::move(ranges));
    actors.push_back(std::move(actor.name));
    hold_state = confirm ? "issued" : "released";
    auto const found = co_await read_issuance(id);
    if (found.has_error())
        co_return found.error();
    auto made = render(*found);
    co_return keep(identity, std::move(made));
}

asio::awaitable<result<rendered_answer>> fake_numbering::note_event(
    std::int32_t,
    event_draft event,
    request_actor actor,
    std::optional<request_identity> identity,
    renderer<std::int64_t> render
)
{
    co_await asio::post(io_, asio::use_awaitable);
    actors.push_back(std::move(actor.name));
    identities.push_back(identity);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    std::int64_t count = 0;
    for (auto const& range : event.ranges)
        count += range.last - range.first + 1;
    events.push_back(std::move(event));
    auto made = render(count);
    co_return keep(identity, std::move(made));
}

asio::awaitable<result<number_record>> fake_numbering::read_number(
    series_entry const* where, std::string number
)
{
    co_await asio::post(io_, asio::use_awaitable);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    auto const found = look_up(number);
    if (found.has_error())
        co_return found.error();
    if (found->series != where)
        co_return refusal{refusal_kind::unknown_number, "it is another series' number"};
    co_return found->record;
}

asio::awaitable<result<found_number>> fake_numbering::search_number(
    std::shared_ptr<principal const> who, std::string number
)
{
    co_await asio::post(io_, asio::use_awaitable);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    auto const found = look_up(number);
    if (found.has_value() && !who->sees(found->series->name))
        co_return refusal{refusal_kind::unknown_number, "no series holds it"};
    co_return found;
}

asio::awaitable<result<std::vector<ledger_row>>> fake_numbering::read_ledger(
    std::int32_t, ledger_page page
)
{
    co_await asio::post(io_, asio::use_awaitable);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    std::vector<ledger_row> rows;
    for (auto const& row : ledger)
        if (row.range.ordinal > page.after && rows.size() < static_cast<std::size_t>(page.limit))
            rows.push_back(row);
    pages.push_back(std::move(page));
    co_return rows;
}

asio::awaitable<result<std::vector<number_declaration>>> fake_numbering::list_formats()
{
    co_await asio::post(io_, asio::use_awaitable);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    co_return formats;
}

asio::awaitable<result<rendered_answer>> fake_numbering::declare_format(
    number_declaration declaration,
    request_actor actor,
    std::optional<request_identity> identity,
    renderer<number_declaration> render
)
{
    co_await asio::post(io_, asio::use_awaitable);
    actors.push_back(std::move(actor.name));
    identities.push_back(identity);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    auto made = render(declaration);
    formats.push_back(std::move(declaration));
    co_return keep(identity, std::move(made));
}

}  // namespace gapless::test
