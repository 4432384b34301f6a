#include "base/messages.hpp"
#include "base/text.hpp"
#include "blocks/block_handlers.hpp"
#include "blocks/load_block_file.hpp"
#include "blocks/loaded_answer.hpp"
#include "formats/block_ends.hpp"
#include "http/path_id.hpp"
#include "http/request_body.hpp"
#include "http/series_lookup.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <ranges>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// The decimal text of a serial as an integer. Refuses with out_of_range beyond `most`.
result<std::int64_t> read_serial(
    std::string_view field, std::string const& digits, std::int64_t most
)
{
    auto const number = read_decimal<std::int64_t>(digits);
    if (!number || *number > most)
        return refusal{
            refusal_kind::out_of_range,
            "The field \"" + std::string{field} + "\" has to be at most " + std::to_string(most) +
                "."};
    return *number;
}

/// Both ends as the carrier writes them, or both as serials.
result<block_ends> read_ends(bound_format const& format, bodies::block_draft const& given)
{
    auto const numbers = given.first && given.last;
    auto const serials = given.first_serial && given.last_serial;
    auto const half = given.first.has_value() != given.last.has_value() ||
                      given.first_serial.has_value() != given.last_serial.has_value();
    if (half || numbers == serials)
        return refusal{
            refusal_kind::malformed_request,
            R"(Give "first" and "last", or "first_serial" and "last_serial".)"};
    if (numbers)
    {
        auto const ends = read_block_ends(format, given.first->text, given.last->text);
        if (ends.has_error())
            return refusal{refusal_kind::out_of_range, "Not a block: " + ends.error().reason + "."};
        return *ends;
    }
    auto const most = format.serial_max();
    auto const first = read_serial("first_serial", given.first_serial->digits, most);
    if (first.has_error())
        return first.error();
    auto const last = read_serial("last_serial", given.last_serial->digits, most);
    if (last.has_error())
        return last.error();
    if (*last < *first)
        return refusal{refusal_kind::out_of_range, "The block ends before it begins."};
    return block_ends{*first, *last, block_ends_read_as::serials, {}};
}

/// The serial up to which numbers were issued elsewhere; nullopt: none were.
result<std::optional<std::int64_t>> read_issued_until(
    bound_format const& format, bodies::block_draft const& given
)
{
    if (!given.issued_until)
        return std::optional<std::int64_t>{};
    auto const& first = given.first ? given.first->text : given.first_serial->digits;
    auto const read = gapless::read_issued_until(format, first, given.issued_until->text);
    if (read.has_error())
        return refusal{
            refusal_kind::out_of_range,
            "The field \"issued_until\" is no number of this block: " + read.error().reason + "."};
    return std::optional{*read};
}

result<void> check_codes(std::vector<std::string> const& codes)
{
    for (auto const& code : codes)
        if (std::ranges::find(load_warning_codes, code) == load_warning_codes.end())
            return refusal{
                refusal_kind::malformed_request,
                fmt::format(
                    "There is no warning \"{}\"; there are {}.",
                    code,
                    fmt::join(load_warning_codes, ", ")
                )};
    return {};
}

/// Reads the load from the body: one block.
result<cases::load_blocks> read_load(exchange const& current)
{
    auto body = read_body<bodies::block_draft>(current);
    if (body.has_error())
        return body.error();
    auto confirmed = std::move(body->confirm_warnings).value_or(std::vector<std::string>{});
    if (auto const checked = check_codes(confirmed); checked.has_error())
        return checked.error();
    if (auto const checked = check_reference(body->reference); checked.has_error())
        return checked.error();
    auto const& format = current.series->format;
    auto ends = read_ends(format, *body);
    if (ends.has_error())
        return ends.error();
    auto const elsewhere = read_issued_until(format, *body);
    if (elsewhere.has_error())
        return elsewhere.error();
    block_draft draft{
        .series = current.series->name,
        .first = ends->first_serial,
        .last = ends->last_serial,
        .reference = std::move(body->reference),
        .valid_until = body->valid_until,
        .issued_until = *elsewhere,
        .completed = std::move(ends->completed)};
    if (body->count)
        draft.count = std::move(body->count->digits);
    return cases::load_blocks{
        .series = current.series->name,
        .drafts = {std::move(draft)},
        .confirmed = std::move(confirmed)};
}

/// Reads the codes in the query. Refuses with malformed_request.
result<std::vector<std::string>> read_codes(std::optional<std::string> const& text)
{
    std::vector<std::string> codes;
    if (text)
        for (auto const code : std::views::split(*text, ','))
            codes.emplace_back(code.begin(), code.end());
    if (auto const checked = check_codes(codes); checked.has_error())
        return checked.error();
    return codes;
}

/// Loads or only checks, once per key, and answers with what was loaded.
template <class Load>
asio::awaitable<result<void>> answer_load(exchange& current, Load wanted, bool as_list)
{
    auto const dry_run = wanted.dry_run;
    auto identity = read_identity(current);
    if (identity.has_error())
        co_return identity.error();
    if (dry_run)
        identity->reset();  // a check stores nothing, not even its answer

    renderer<cases::loaded_blocks> render = [as_list,
                                             wanted = current.head.text_language](auto done) {
        tell(done.warnings, wanted);
        return to_loaded_answer(std::move(done), as_list);
    };
    auto& records = current.service<record_service>();
    auto by = current.by(*identity);
    auto const kind = as_list ? work_kind::load : work_kind::write;
    result<rendered_answer> made = refusal{};
    if (dry_run)
        made = co_await records.rehearse(std::move(wanted), std::move(by), std::move(render), kind);
    else
        made = co_await records.act(std::move(wanted), std::move(by), std::move(render), kind);
    if (made.has_error())
        co_return made.error();
    write_kept(current, std::move(*made));
    co_return result<void>{};
}

}  // namespace

asio::awaitable<result<void>> post_block(exchange& current)
{
    auto const query = read_query<queries::load_query>(current);
    if (query.has_error())
        co_return query.error();
    auto confirmed = read_codes(query->confirm_warnings);
    if (confirmed.has_error())
        co_return confirmed.error();
    auto const dry_run = query->dry_run.value_or(false);
    if (check_csv_type(current).has_value())
    {
        // Parsed on a database thread: a long file would block the I/O thread.
        cases::load_block_file file{
            .series = current.series,
            .bytes = std::make_shared<std::string const>(current.body),
            .confirmed = std::move(*confirmed),
            .dry_run = dry_run};
        co_return co_await answer_load(current, std::move(file), true);
    }
    auto load = read_load(current);
    if (load.has_error())
        co_return load.error();
    load->dry_run = dry_run;
    std::ranges::move(*confirmed, std::back_inserter(load->confirmed));
    co_return co_await answer_load(current, std::move(*load), false);
}

asio::awaitable<result<void>> post_proposal_confirmation(exchange& current)
{
    auto identity = read_identity(current);
    if (identity.has_error())
        co_return identity.error();
    if (auto const read = read_no_fields(current); read.has_error())
        co_return read.error();
    auto const id = read_path_id(current.path[0]);
    if (id == 0)
        co_return refusal{
            refusal_kind::not_found,
            "There is no proposal of this id. Ids are integers, as lists show them."};
    auto& records = current.service<record_service>();
    cases::read_proposal wanted{id, current.who->series};
    auto proposal = co_await records.read(std::move(wanted));
    if (proposal.has_error())
        co_return proposal.error();
    auto const kind = proposal->blocks.size() > 1 ? work_kind::load : work_kind::write;
    auto const series =
        co_await current.service<series_lookup>().find_series(std::move(proposal->series));
    if (series.has_error())
        co_return series.error();
    renderer<cases::loaded_blocks> render = [](auto const& loaded) {
        return to_loaded_answer(loaded, loaded.blocks.size() > 1);
    };
    auto by = current.by(*identity);
    by.series_id = (*series)->series_id;
    cases::confirm_proposal confirm{id};
    auto made = co_await records.act(confirm, std::move(by), std::move(render), kind);
    if (made.has_error())
        co_return made.error();
    write_kept(current, std::move(*made));
    co_return result<void>{};
}

}  // namespace gapless
