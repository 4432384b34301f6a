#include "http/number_handlers.hpp"

#include "base/text.hpp"
#include "cases/numbers.hpp"
#include "domain/limits.hpp"
#include "http/request_body.hpp"
#include "http/serial_ranges.hpp"
#include "wire/issuance_json.hpp"
#include "wire/json_writer.hpp"
#include "wire/number_json.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr std::array<std::string_view, 5> event_kinds{
    "printed", "reprinted", "voided", "manifested", "returned"};

/// What can be said about an event without the database.
result<void> check_event(event_draft const& event)
{
    if (std::ranges::find(event_kinds, std::string_view{event.kind}) == event_kinds.end())
        return beyond_bounds(
            "The field \"kind\" has to be printed, reprinted, voided, manifested or returned."
        );
    auto const is_blank =
        !event.reason || event.reason->find_first_not_of(' ') == std::string::npos;
    if (event.kind == "voided" && is_blank)
        return beyond_bounds("Voiding needs a \"reason\".");
    if (event.reason && count_characters(*event.reason) > reference_characters_max)
        return beyond_bounds(
            "The field \"reason\" has to have at most " + std::to_string(reference_characters_max) +
            " characters."
        );
    return {};
}

result<event_draft> read_event(exchange const& current)
{
    std::optional<std::string> kind;
    range_texts ranges;
    event_draft event;
    std::optional<bool> force;
    std::array<json_field, 4> const fields{
        {{"kind", &kind}, {"ranges", &ranges}, {"reason", &event.reason}, {"force", &force}}};
    if (auto const read = read_body(current, fields); read.has_error())
        return read.error();
    if (!kind)
        return refusal{refusal_kind::malformed_request, "The field \"kind\" is missing."};
    if (!ranges.given)
        return refusal{refusal_kind::malformed_request, "The field \"ranges\" is missing."};
    event.kind = std::move(*kind);
    event.force = force.value_or(false);
    if (auto const checked = check_event(event); checked.has_error())
        return checked.error();
    auto serials = read_serial_ranges(*current.series, ranges);
    if (serials.has_error())
        return serials.error();
    event.ranges = std::move(*serials);
    return event;
}

kept_answer noted(series_entry const& series, event_draft const& event, std::int64_t count)
{
    kept_answer made{.status = 201, .location = {}, .body = "{"};
    auto& json = made.body;
    append_text(json, "series", series.name);
    append_text(json, "kind", event.kind);
    append_count(json, "count", count);
    append_serial_ranges(series, event.ranges, append_name(json, "ranges"));
    append_optional(json, "reason", event.reason);
    json += '}';
    return made;
}

}  // namespace

asio::awaitable<result<void>> get_number(exchange& current)
{
    cases::look_up_number wanted{{current.series}, std::string{current.path[1]}};
    auto const found = co_await current.service().records.read(std::move(wanted));
    if (found.has_error())
        co_return found.error();
    append_number_record(*current.series, found->record, current.out.body);
    co_return result<void>{};
}

asio::awaitable<result<void>> search_number(exchange& current)
{
    auto const all = co_await current.service().issuing.find_all_series();
    if (all.has_error())
        co_return all.error();
    cases::look_up_number wanted{{}, std::string{current.path[0]}};
    auto const seen = [&current](auto const* each) { return current.who->sees(each->name); };
    std::ranges::copy_if(*all, std::back_inserter(wanted.series), seen);
    auto const found = co_await current.service().records.read(std::move(wanted));
    if (found.has_error())
        co_return found.error();
    append_number_record(*found->series, found->record, current.out.body);
    co_return result<void>{};
}

asio::awaitable<result<void>> post_event(exchange& current)
{
    auto event = read_event(current);
    if (event.has_error())
        co_return event.error();
    auto identity = read_identity(current);
    if (identity.has_error())
        co_return identity.error();

    auto const* const series = current.series;
    renderer<std::int64_t> render = [series, event = *event](std::int64_t count) {
        return noted(*series, event, count);
    };
    cases::note_event note{series->series_id, std::move(*event)};
    auto made = co_await current.service().records.act(
        std::move(note), current.by(std::move(*identity)), std::move(render)
    );
    if (made.has_error())
        co_return made.error();
    write_kept(current, std::move(*made));
    co_return result<void>{};
}

}  // namespace gapless
