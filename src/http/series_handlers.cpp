#include "http/series_handlers.hpp"

#include "cases/notices.hpp"
#include "cases/series.hpp"
#include "http/list_page.hpp"
#include "http/request_body.hpp"
#include "wire/json_writer.hpp"
#include "wire/record_json.hpp"
#include "wire/series_json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr std::array<std::string_view, 4> series_states{"active", "low", "exhausted", "paused"};
constexpr std::array<std::string_view, 5> interval_units{"year", "mon", "month", "week", "day"};
constexpr std::size_t interval_characters_max = 40;  // 40,000 years at most

/// Takes "12 months" or "1 day " from the front of a text.
bool take_duration(std::string_view& text) noexcept
{
    constexpr std::size_t digits_max = 4;
    auto const digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits < 1 || digits > digits_max || text.front() == '0' ||
        !text.substr(digits).starts_with(' '))
        return false;
    text.remove_prefix(digits + 1);
    auto const unit = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(unit.size() + 1, text.size()));
    auto const singular = unit.ends_with('s') ? unit.substr(0, unit.size() - 1) : unit;
    return std::ranges::find(interval_units, singular) != interval_units.end();
}

result<void> check_reuse_after(std::optional<std::string> const& interval)
{
    if (!interval)
        return {};
    std::string_view text{*interval};
    auto is_interval = !text.empty() && text.size() <= interval_characters_max;
    while (is_interval && !text.empty())
        is_interval = take_duration(text);
    if (!is_interval)
        return refusal{
            refusal_kind::out_of_range,
            R"(The field "reuse_after" has to be an interval: "12 months", "1 year 10 days".)"};
    return {};
}

result<series_draft> read_series_draft(exchange const& current)
{
    series_draft draft;
    std::optional<std::string> name;
    std::optional<std::string> carrier;
    removable_integer low_water;
    removable_integer reserve_numbers;
    std::array<json_field, 10> const fields{
        {{"name", &name},
         {"carrier", &carrier},
         {"space", &draft.space},
         {"format", &draft.format},
         {"params", &draft.params},
         {"on_release", &draft.on_release},
         {"on_expiry", &draft.on_expiry},
         {"low_water", &low_water},
         {"reuse_after", &draft.reuse_after},
         {"reserve_numbers", &reserve_numbers}}};
    if (auto const read = read_body(current, fields); read.has_error())
        return read.error();
    if (!name)
        return refusal{refusal_kind::malformed_request, "The field \"name\" is missing."};
    if (!carrier)
        return refusal{refusal_kind::malformed_request, "The field \"carrier\" is missing."};
    if (auto const checked = check_reuse_after(draft.reuse_after); checked.has_error())
        return checked.error();
    draft.name = std::move(*name);
    draft.carrier = std::move(*carrier);
    draft.low_water = low_water.value;
    draft.reserve_numbers = reserve_numbers.value;
    return draft;
}

/// The version an If-Match field asks for; none when any will do.
result<std::optional<std::int32_t>> read_if_match(exchange const& current)
{
    auto const& header = current.head.if_match;
    if (!header || *header == "*")
        return std::optional<std::int32_t>{};
    auto text = *header;
    auto const weak = text.starts_with("W/");
    if (weak)
        text.remove_prefix(2);
    if (text.size() < 2 || !text.starts_with('"') || text.find('"', 1) != text.size() - 1)
        return refusal{refusal_kind::malformed_request, "If-Match has to be one ETag, or *."};
    text = text.substr(1, text.size() - 2);
    std::int32_t version{};
    auto const read = std::from_chars(text.data(), text.data() + text.size(), version);
    if (weak || read.ec != std::errc{} || read.ptr != text.data() + text.size())
        return refusal{
            refusal_kind::precondition_failed,
            "If-Match names no version this series ever had: send the ETag of GET as it is."};
    return std::optional{version};
}

result<series_change> read_series_change(exchange const& current)
{
    auto const version = read_if_match(current);
    if (version.has_error())
        return version.error();
    series_change change;
    change.if_version = *version;
    removable_integer low_water;
    removable_text reuse_after;
    removable_integer reserve_numbers;
    std::array<json_field, 6> const fields{
        {{"paused", &change.paused},
         {"low_water", &low_water},
         {"on_release", &change.on_release},
         {"on_expiry", &change.on_expiry},
         {"reuse_after", &reuse_after},
         {"reserve_numbers", &reserve_numbers}}};
    if (auto const read = read_body(current, fields); read.has_error())
        return read.error();
    if (low_water.given)
        change.low_water = low_water.value;
    if (auto const checked = check_reuse_after(reuse_after.value); checked.has_error())
        return checked.error();
    if (reuse_after.given)
        change.reuse_after = std::move(reuse_after.value);
    if (reserve_numbers.given)
        change.reserve_numbers = reserve_numbers.value;
    return change;
}

result<series_filter> read_series_filter(exchange const& current)
{
    auto const limit = read_limit(current, names_usual);
    if (limit.has_error())
        return limit.error();
    auto const given = [&](std::string_view name) {
        auto const text = current.query.find(name);
        return text ? std::optional<std::string>{*text} : std::nullopt;
    };
    series_filter wanted{
        .visible = current.who->series,
        .carrier = given("carrier"),
        .state = given("state"),
        .search = given("q"),
        .after = given("after"),
        .limit = static_cast<std::int32_t>(*limit)};
    if (wanted.state && std::ranges::find(series_states, *wanted.state) == series_states.end())
        return refusal{
            refusal_kind::out_of_range,
            "The query parameter state has to be active, low, exhausted or paused."};
    return wanted;
}

kept_answer created_series_answer(series_record const& series)
{
    kept_answer made{.status = 201, .location = "/v1/series/" + series.name, .body = {}};
    append_series(series, nullptr, made.body);
    return made;
}

void write_series(exchange& current, series_record const& series)
{
    current.out.etag = '"' + std::to_string(series.version) + '"';
    append_series(series, &current.series->format, current.out.body);
}

}  // namespace

asio::awaitable<result<void>> get_all_series(exchange& current)
{
    auto filter = read_series_filter(current);
    if (filter.has_error())
        co_return filter.error();
    auto const limit = static_cast<std::size_t>(*filter->limit);
    filter->limit = *filter->limit + 1;  // one more tells whether more follow
    cases::list_series wanted{std::move(*filter)};
    auto const found = co_await current.service().records.read(std::move(wanted));
    if (found.has_error())
        co_return found.error();
    auto& json = current.out.body;
    json += R"({"items":[)";
    for (auto const& series : std::span{*found}.first(std::min(limit, found->size())))
    {
        std::string name{series.name};
        auto const entry = co_await current.service().issuing.find_series(std::move(name));
        if (entry.has_error())
            co_return entry.error();
        if (json.back() != '[')
            json += ',';
        append_series(series, &(*entry)->format, json);
    }
    json += R"(],"next":)";
    if (found->size() > limit)
        append_json_string(json, (*found)[limit - 1].name);
    else
        json += "null";
    json += '}';
    co_return result<void>{};
}

asio::awaitable<result<void>> post_series(exchange& current)
{
    auto draft = read_series_draft(current);
    if (draft.has_error())
        co_return draft.error();
    if (!current.who->sees(draft->name))
        co_return refusal{
            refusal_kind::forbidden, "The token is limited to series of other names."};
    auto identity = read_identity(current);
    if (identity.has_error())
        co_return identity.error();

    renderer<series_record> render{created_series_answer};
    cases::create_series create{std::move(*draft)};
    auto made = co_await current.service().records.act(
        std::move(create), current.by(std::move(*identity)), std::move(render)
    );
    if (made.has_error())
        co_return made.error();
    write_kept(current, std::move(*made));
    co_return result<void>{};
}

asio::awaitable<result<void>> get_series(exchange& current)
{
    cases::read_series wanted{current.series->name};
    auto const found = co_await current.service().records.read(std::move(wanted));
    if (found.has_error())
        co_return found.error();
    write_series(current, *found);
    co_return result<void>{};
}

asio::awaitable<result<void>> patch_series(exchange& current)
{
    auto change = read_series_change(current);
    if (change.has_error())
        co_return change.error();
    cases::change_series set{current.series->name, std::move(*change)};
    auto const changed =
        co_await current.service().records.change(std::move(set), current.by(std::nullopt));
    if (changed.has_error())
        co_return changed.error();
    write_series(current, *changed);
    co_return result<void>{};
}

asio::awaitable<result<void>> get_verification(exchange& current)
{
    cases::verify_series wanted{current.series->name};
    auto const checked = co_await current.service().records.prove(std::move(wanted));
    if (checked.has_error())
        co_return checked.error();
    // What was found is the answer, also where nobody could be told.
    if (!checked->findings.empty())
        co_await current.service().records.change(
            cases::tell_findings{static_cast<std::int64_t>(checked->findings.size())},
            current.by(std::nullopt)
        );
    append_verification(*checked, current.out.body);
    co_return result<void>{};
}

}  // namespace gapless
