#include "http/block_handlers.hpp"

#include "domain/limits.hpp"
#include "http/json_writer.hpp"
#include "http/record_json.hpp"
#include "http/request_body.hpp"
#include "store/series_store.hpp"

#include <algorithm>
#include <array>

namespace gapless {

namespace asio = boost::asio;

namespace {

refusal missing(std::string_view field)
{
    return {
        refusal_kind::malformed_request, "The field \"" + std::string{field} + "\" is missing."};
}

/// The serial behind a number of a block.
result<std::int64_t> read_end(std::string_view field, decimal_text const& number)
{
    if (!number.digits)
        return missing(field);
    return read_decimal(field, *number.digits, serial_max);
}

result<std::optional<database_time>> read_validity(std::optional<std::string> const& text)
{
    if (!text)
        return std::optional<database_time>{};
    auto const moment = read_valid_until(*text);
    if (!moment)
        return refusal{
            refusal_kind::malformed_request,
            "The field \"valid_until\" has to be a date (2026-12-31) or an RFC 3339 moment."};
    return moment;
}

result<block_draft> read_block_draft(exchange const& current)
{
    decimal_text first;
    decimal_text last;
    decimal_text count;
    std::optional<std::string> reference;
    std::optional<std::string> valid_until;
    std::array<json_field, 5> const fields{
        {{"first", &first},
         {"last", &last},
         {"count", &count},
         {"reference", &reference},
         {"valid_until", &valid_until}}};
    if (auto const read = read_body(current, fields); read.has_error())
        return read.error();
    if (auto const checked = check_reference(reference); checked.has_error())
        return checked.error();
    auto const first_serial = read_end("first", first);
    if (first_serial.has_error())
        return first_serial.error();
    auto const last_serial = read_end("last", last);
    if (last_serial.has_error())
        return last_serial.error();
    auto const validity = read_validity(valid_until);
    if (validity.has_error())
        return validity.error();
    return block_draft{
        .series = current.series->name,
        .first = *first_serial,
        .last = *last_serial,
        .count = std::move(count.digits),
        .reference = std::move(reference),
        .valid_until = *validity};
}

kept_answer loaded(block_record const& block)
{
    kept_answer made{
        .status = 201, .location = "/v1/series/" + block.series + "/blocks/", .body = {}};
    append_decimal(made.location, block.block_id);
    append_block(block, false, made.body);
    return made;
}

kept_answer checked_only(block_record const& block)
{
    kept_answer made{.status = 200, .location = {}, .body = {}};
    append_block(block, true, made.body);
    return made;
}

}  // namespace

asio::awaitable<result<void>> get_blocks(exchange& current)
{
    std::string name{current.series->name};
    auto const found = co_await current.service().list_blocks(std::move(name));
    if (found.has_error())
        co_return found.error();
    auto& json = current.out.body;
    json += R"({"items":[)";
    for (auto const& block : *found)
    {
        if (json.back() != '[')
            json += ',';
        append_block(block, false, json);
    }
    json += R"(],"next":null})";
    co_return result<void>{};
}

asio::awaitable<result<void>> get_block(exchange& current)
{
    std::string name{current.series->name};
    auto const found = co_await current.service().list_blocks(std::move(name));
    if (found.has_error())
        co_return found.error();
    auto const id = current.path[1];
    auto const has_id = [id](auto const& block) { return std::to_string(block.block_id) == id; };
    auto const block = std::ranges::find_if(*found, has_id);
    if (block == found->end())
        co_return refusal{refusal_kind::not_found, "This series has no block of this id."};
    append_block(*block, false, current.out.body);
    co_return result<void>{};
}

asio::awaitable<result<void>> post_block(exchange& current)
{
    auto const asked_dry = current.query.read_truth("dry_run");
    if (asked_dry.has_error())
        co_return asked_dry.error();
    auto const dry_run = asked_dry->value_or(false);
    auto draft = read_block_draft(current);
    if (draft.has_error())
        co_return draft.error();
    auto identity = read_identity(current);
    if (identity.has_error())
        co_return identity.error();
    if (dry_run)
        identity->reset();  // a check keeps nothing, its answer included

    renderer<block_record> render{dry_run ? checked_only : loaded};
    auto made = co_await current.service().load_block(
        std::move(*draft), current.actor(), std::move(*identity), dry_run, std::move(render)
    );
    if (made.has_error())
        co_return made.error();
    write_kept(current, std::move(*made));
    co_return result<void>{};
}

}  // namespace gapless
