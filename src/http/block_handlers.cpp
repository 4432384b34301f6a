#include "http/block_handlers.hpp"

#include "cases/blocks.hpp"
#include "http/list_page.hpp"
#include "http/path_id.hpp"
#include "http/request_body.hpp"
#include "wire/json_writer.hpp"
#include "wire/record_json.hpp"

#include <array>
#include <limits>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// The block that a path names. Refuses with not_found.
result<cases::block_name> read_block_name(exchange const& current, std::string_view text)
{
    cases::block_name block{current.series->name, read_path_id(text)};
    if (block.id == 0)
        return refusal{
            refusal_kind::not_found,
            "Series " + current.series->name + " has no block of this id."};
    return block;
}

block_record const& block_of(block_record const& block) noexcept
{
    return block;
}

block_record const& block_of(cases::closed_block const& closed) noexcept
{
    return closed.block;
}

kept_answer to_answer(series_entry const& series, block_record const& block)
{
    kept_answer made{.status = 200, .location = {}, .body = {}};
    append_block(series.format, block, made.body);
    return made;
}

/// Runs an act on the block of the path, once for each key, and answers with the block.
template <class Act>
asio::awaitable<result<void>> act_on_block(exchange& current, Act wanted)
{
    auto identity = read_identity(current);
    if (identity.has_error())
        co_return identity.error();
    renderer<typename Act::answer> render = [series = current.series](auto const& done) {
        return to_answer(*series, block_of(done));
    };
    auto by = current.by(std::move(*identity));
    auto made =
        co_await current.service().records.act(std::move(wanted), std::move(by), std::move(render));
    if (made.has_error())
        co_return made.error();
    write_kept(current, std::move(*made));
    co_return result<void>{};
}

/// An act that is a block and a reason.
template <class Act>
asio::awaitable<result<void>> act_with_reason(exchange& current)
{
    Act wanted{};
    auto block = read_block_name(current, current.path[1]);
    if (block.has_error())
        co_return block.error();
    auto reason = read_reason(current);
    if (reason.has_error())
        co_return reason.error();
    wanted.block = std::move(*block);
    wanted.reason = std::move(*reason);
    co_return co_await act_on_block(current, std::move(wanted));
}

/// Where a queued block goes: {"before":"7"} or {"last":true}.
result<std::optional<std::int32_t>> read_place(exchange const& current)
{
    decimal_text before;
    std::optional<bool> last;
    std::array<json_field, 2> const fields{{{"before", &before}, {"last", &last}}};
    if (auto const read = read_body(current, fields); read.has_error())
        return read.error();
    if (before.digits.has_value() == last.value_or(false))
        return refusal{
            refusal_kind::malformed_request,
            R"(Give either "before", a block's id, or "last":true.)"};
    if (!before.digits)
        return std::optional<std::int32_t>{};
    auto const id =
        read_decimal("before", *before.digits, std::numeric_limits<std::int32_t>::max());
    if (id.has_error())
        return id.error();
    return std::optional{static_cast<std::int32_t>(*id)};
}

}  // namespace

asio::awaitable<result<void>> get_blocks(exchange& current)
{
    auto const page = read_list_page(current);
    if (page.has_error())
        co_return page.error();
    cases::list_blocks wanted{current.series->name};
    auto const found = co_await current.service().records.read(std::move(wanted));
    if (found.has_error())
        co_return found.error();
    auto const position_of = [](block_record const& block) { return block.position; };
    auto const write = [series = current.series](block_record const& block, std::string& json) {
        append_block(series->format, block, json);
    };
    append_page(current.out.body, *page, *found, position_of, write);
    co_return result<void>{};
}

asio::awaitable<result<void>> get_block(exchange& current)
{
    auto block = read_block_name(current, current.path[1]);
    if (block.has_error())
        co_return block.error();
    cases::read_block wanted{std::move(*block)};
    auto const found = co_await current.service().records.read(std::move(wanted));
    if (found.has_error())
        co_return found.error();
    append_block(current.series->format, *found, current.out.body);
    co_return result<void>{};
}

asio::awaitable<result<void>> post_block_move(exchange& current)
{
    auto block = read_block_name(current, current.path[1]);
    if (block.has_error())
        co_return block.error();
    auto const before = read_place(current);
    if (before.has_error())
        co_return before.error();
    cases::move_block wanted{std::move(*block), *before};
    co_return co_await act_on_block(current, std::move(wanted));
}

asio::awaitable<result<void>> post_block_close(exchange& current)
{
    return act_with_reason<cases::close_block>(current);
}

asio::awaitable<result<void>> post_block_withdrawal(exchange& current)
{
    return act_with_reason<cases::withdraw_block>(current);
}

asio::awaitable<result<void>> post_block_recall(exchange& current)
{
    return act_with_reason<cases::recall_block>(current);
}

}  // namespace gapless
