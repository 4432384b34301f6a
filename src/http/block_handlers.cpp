#include "http/block_handlers.hpp"

#include "domain/format/block_ends.hpp"
#include "domain/number_record.hpp"
#include "http/json_writer.hpp"
#include "http/record_json.hpp"
#include "http/request_body.hpp"
#include "store/series_store.hpp"

#include <algorithm>
#include <array>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// The ends of a block, in one of the two ways they can be given.
struct given_ends
{
    written_number first;
    written_number last;
    decimal_text first_serial;
    decimal_text last_serial;
};

/// Both ends as the carrier writes them, or both serials.
result<serial_range> read_ends(bound_format const& format, given_ends const& given)
{
    auto const numbers = given.first.text && given.last.text;
    auto const serials = given.first_serial.digits && given.last_serial.digits;
    auto const half = given.first.text.has_value() != given.last.text.has_value() ||
                      given.first_serial.digits.has_value() != given.last_serial.digits.has_value();
    if (half || numbers == serials)
        return refusal{
            refusal_kind::malformed_request,
            R"(Give "first" and "last", or "first_serial" and "last_serial".)"};
    if (numbers)
    {
        auto const ends = read_block_ends(format, *given.first.text, *given.last.text);
        if (ends.has_error())
            return refusal{refusal_kind::out_of_range, "Not a block: " + ends.error().reason + "."};
        return serial_range{ends->first_serial, ends->last_serial};
    }
    auto const most = format.serial_max();
    auto const first = read_decimal("first_serial", *given.first_serial.digits, most);
    if (first.has_error())
        return first.error();
    auto const last = read_decimal("last_serial", *given.last_serial.digits, most);
    if (last.has_error())
        return last.error();
    if (*last < *first)
        return refusal{refusal_kind::out_of_range, "The block ends before it begins."};
    return serial_range{*first, *last};
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
    given_ends given;
    decimal_text count;
    std::optional<std::string> reference;
    std::optional<std::string> valid_until;
    std::array<json_field, 7> const fields{
        {{"first", &given.first},
         {"last", &given.last},
         {"first_serial", &given.first_serial},
         {"last_serial", &given.last_serial},
         {"count", &count},
         {"reference", &reference},
         {"valid_until", &valid_until}}};
    if (auto const read = read_body(current, fields); read.has_error())
        return read.error();
    if (auto const checked = check_reference(reference); checked.has_error())
        return checked.error();
    auto const ends = read_ends(current.series->format, given);
    if (ends.has_error())
        return ends.error();
    auto const validity = read_validity(valid_until);
    if (validity.has_error())
        return validity.error();
    return block_draft{
        .series = current.series->name,
        .first = ends->first,
        .last = ends->last,
        .count = std::move(count.digits),
        .reference = std::move(reference),
        .valid_until = *validity};
}

kept_answer loaded(series_entry const& series, block_record const& block)
{
    kept_answer made{
        .status = 201, .location = "/v1/series/" + block.series + "/blocks/", .body = {}};
    append_decimal(made.location, block.block_id);
    append_block(series, block, false, made.body);
    return made;
}

kept_answer checked_only(series_entry const& series, block_record const& block)
{
    kept_answer made{.status = 200, .location = {}, .body = {}};
    append_block(series, block, true, made.body);
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
        append_block(*current.series, block, false, json);
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
    append_block(*current.series, *block, false, current.out.body);
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

    auto const* const series = current.series;
    renderer<block_record> render = [series, dry_run](block_record const& block) {
        return dry_run ? checked_only(*series, block) : loaded(*series, block);
    };
    auto made = co_await current.service().load_block(
        std::move(*draft), current.actor(), std::move(*identity), dry_run, std::move(render)
    );
    if (made.has_error())
        co_return made.error();
    write_kept(current, std::move(*made));
    co_return result<void>{};
}

}  // namespace gapless
