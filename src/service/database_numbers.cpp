#include "domain/format/catalogue.hpp"
#include "service/database_numbering.hpp"
#include "service/run_once.hpp"
#include "store/format_store.hpp"
#include "store/issuance_store.hpp"
#include "store/number_store.hpp"
#include "store/series_store.hpp"
#include "store/token_store.hpp"

/// Blocks, what becomes of numbers after they left, and how they are written.
namespace gapless {

namespace asio = boost::asio;

asio::awaitable<result<std::vector<block_record>>> database_numbering::list_blocks(
    std::string series
)
{
    auto look = [series = std::move(series)](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) -> result<std::vector<block_record>> {
            auto const known = read_one_series(transaction, series);
            if (known.has_error())
                return known.error();
            return read_blocks(transaction, series);
        });
    };
    co_return co_await threads_.run(std::move(look));
}

asio::awaitable<result<rendered_answer>> database_numbering::load_block(
    block_draft draft,
    request_actor actor,
    std::optional<request_identity> identity,
    bool dry_run,
    renderer<block_record> render
)
{
    auto load = [=](pqxx::connection& connection) -> result<rendered_answer> {
        if (!dry_run)
            return run_once(connection, identity, [&](auto& transaction) {
                name_actor(transaction, actor);
                return render(gapless::load_block(transaction, draft, actor.name));
            });
        return run_rehearsal(connection, [&](auto& transaction) {
            name_actor(transaction, actor);
            auto loaded = gapless::load_block(transaction, draft, actor.name);
            loaded.block_id = 0;
            return rendered_answer{render(loaded), false};
        });
    };
    auto const changing = change_of(draft.series);
    co_return co_await threads_.run(std::move(load), changing);
}

asio::awaitable<result<rendered_answer>> database_numbering::settle_hold(
    issuance_id id,
    std::vector<serial_range> ranges,
    bool confirm,
    request_actor actor,
    std::optional<request_identity> identity,
    renderer<issuance_record> render
)
{
    auto settle = [=, ranges = std::move(ranges)](pqxx::connection& connection) {
        return run_once(connection, identity, [&](auto& transaction) -> result<kept_answer> {
            name_actor(transaction, actor);
            gapless::settle_hold(transaction, id, ranges, confirm, actor.name);
            auto const settled = gapless::read_issuance(transaction, id);
            if (settled.has_error())
                return settled.error();
            return render(*settled);
        });
    };
    work_order const changing{.kind = work_kind::write, .series_id = id.series_id};
    co_return co_await threads_.run(std::move(settle), changing);
}

asio::awaitable<result<rendered_answer>> database_numbering::note_event(
    std::int32_t series_id,
    event_draft event,
    request_actor actor,
    std::optional<request_identity> identity,
    renderer<std::int64_t> render
)
{
    auto note = [=, event = std::move(event)](pqxx::connection& connection) {
        return run_once(connection, identity, [&](auto& transaction) {
            name_actor(transaction, actor);
            return render(gapless::note_event(transaction, series_id, event, actor.name));
        });
    };
    work_order const changing{.kind = work_kind::write, .series_id = series_id};
    co_return co_await threads_.run(std::move(note), changing);
}

asio::awaitable<result<number_record>> database_numbering::read_number(
    series_entry const* series, std::string number
)
{
    auto const read = series->format.read_number(number);
    if (read.has_error())
        co_return refusal{
            refusal_kind::unknown_number,
            "'" + number + "' is no number of series '" + series->name +
                "': " + read.error().reason};
    auto look = [id = series->series_id, serial = read->serial](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return gapless::read_number(transaction, id, serial);
        });
    };
    auto const found = co_await threads_.run(std::move(look));
    if (found.has_error())
        co_return found.error();
    if (!*found)
        co_return refusal{
            refusal_kind::unknown_number,
            "no block of series '" + series->name + "' holds '" + number + "'"};
    co_return **found;
}

asio::awaitable<result<found_number>> database_numbering::search_number(
    std::shared_ptr<principal const> who, std::string number
)
{
    auto const learnt = co_await learn_series(std::nullopt);
    if (learnt.has_error())
        co_return learnt.error();
    std::vector<std::pair<series_entry const*, std::int64_t>> possible;
    for (auto const& [name, series] : series_)
        if (auto const read = series.format.read_number(number);
            who->sees(name) && read.has_value())
            possible.emplace_back(&series, read->serial);
    // All in one transaction: a company has many series, and only one of them has the number.
    auto look = [possible = std::move(possible)](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            for (auto const& [series, serial] : possible)
                if (auto found = gapless::read_number(transaction, series->series_id, serial))
                    return std::optional{found_number{series, std::move(*found)}};
            return std::optional<found_number>{};
        });
    };
    auto found = co_await threads_.run(std::move(look));
    if (found.has_error())
        co_return found.error();
    if (*found)
        co_return std::move(**found);
    co_return refusal{refusal_kind::unknown_number, "no series holds '" + number + "'"};
}

asio::awaitable<result<std::vector<ledger_row>>> database_numbering::read_ledger(
    std::int32_t series_id, ledger_page page
)
{
    auto look = [series_id, page = std::move(page)](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return gapless::read_ledger(transaction, series_id, page);
        });
    };
    co_return co_await threads_.run(std::move(look));
}

asio::awaitable<result<std::vector<number_declaration>>> database_numbering::list_formats()
{
    auto look = [](pqxx::connection& connection) {
        return run_read(connection, [](auto& transaction) {
            std::vector<number_declaration> all;
            for (auto const& row : catalogue())
                all.push_back(to_declaration(row));
            for (auto& own : read_declared_formats(transaction))
                all.push_back(std::move(own));
            return all;
        });
    };
    co_return co_await threads_.run(std::move(look));
}

asio::awaitable<result<rendered_answer>> database_numbering::declare_format(
    number_declaration declaration,
    request_actor actor,
    std::optional<request_identity> identity,
    renderer<number_declaration> render
)
{
    auto keep = [=, declaration = std::move(declaration)](pqxx::connection& connection) {
        return run_once(connection, identity, [&](auto& transaction) -> result<kept_answer> {
            name_actor(transaction, actor);
            auto const kept = gapless::declare_format(transaction, declaration, actor.name);
            if (kept.has_error())
                return kept.error();
            return render(declaration);
        });
    };
    work_order const changing{.kind = work_kind::write};
    co_return co_await threads_.run(std::move(keep), changing);
}

}  // namespace gapless
