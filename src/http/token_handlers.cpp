#include "http/token_handlers.hpp"

#include "cases/access.hpp"
#include "domain/moment.hpp"
#include "domain/written_value.hpp"
#include "http/list_page.hpp"
#include "http/path_id.hpp"
#include "http/request_body.hpp"
#include "wire/record_json.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace gapless {

namespace asio = boost::asio;

namespace {

refusal missing(std::string_view field)
{
    return {
        refusal_kind::malformed_request, "The field \"" + std::string{field} + "\" is missing."};
}

/// Each text once, in the order given.
std::vector<std::string> each_once(std::vector<std::string> const& texts)
{
    std::vector<std::string> once;
    for (auto const& text : texts)
        if (std::ranges::find(once, text) == once.end())
            once.push_back(text);
    return once;
}

result<std::optional<database_time>> read_expiry(removable_text const& text)
{
    if (!text.value)
        return std::optional<database_time>{};
    auto const moment = read_valid_until(*text.value);
    if (!moment)
        return refusal{
            refusal_kind::malformed_request,
            "The field \"expires_at\" has to be a date (2026-12-31) or an RFC 3339 moment."};
    if (auto const checked = written::check_moment(*moment); checked.has_error())
        return checked.error();
    return moment;
}

result<token_draft> read_token_draft(exchange const& current)
{
    std::optional<std::string> name;
    text_list scopes;
    text_list series;
    removable_text expires_at;
    removable_integer rate;
    removable_integer burst;
    removable_integer daily_quota;
    std::array<json_field, 7> const fields{
        {{"name", &name},
         {"scopes", &scopes},
         {"series", &series},
         {"expires_at", &expires_at},
         {"rate", &rate},
         {"burst", &burst},
         {"daily_quota", &daily_quota}}};
    if (auto const read = read_body(current, fields); read.has_error())
        return read.error();
    if (!name)
        return missing("name");
    if (!scopes.given)
        return missing("scopes");
    auto const expiry = read_expiry(expires_at);
    if (expiry.has_error())
        return expiry.error();
    token_draft draft{
        .name = std::move(*name),
        .scopes = each_once(scopes.items),
        .series = std::nullopt,
        .expires_at = *expiry,
        .rate = rate.value,
        .burst = burst.value,
        .daily_quota = daily_quota.value};
    if (series.given)
        draft.series = each_once(series.items);
    auto const now =
        std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    if (auto const fault = cases::find_fault(draft, now))
        return refusal{
            refusal_kind::out_of_range,
            "The field \"" + std::string{fault->field} + "\": " + fault->why + "."};
    return draft;
}

kept_answer created_token_answer(created_token const& token)
{
    kept_answer made{
        .status = 201,
        .location = "/v1/tokens/" + std::to_string(token.record.token_id),
        .body = {}};
    append_created_token(token.record, token.text, made.body);
    return made;
}

}  // namespace

asio::awaitable<result<void>> get_tokens(exchange& current)
{
    auto const page = read_list_page(current);
    if (page.has_error())
        co_return page.error();
    cases::list_tokens wanted{};
    wanted.page.after = static_cast<std::int32_t>(
        std::min<std::int64_t>(page->after, std::numeric_limits<std::int32_t>::max())
    );
    wanted.page.limit =
        static_cast<std::int32_t>(page->limit) + 1;  // one more tells whether more follow
    auto const found =
        co_await current.service().records.read_for(wanted, current.by(std::nullopt));
    if (found.has_error())
        co_return found.error();
    auto const id_of = [](token_record const& token) { return token.token_id; };
    append_page(current.out.body, *page, *found, id_of, append_token);
    co_return result<void>{};
}

asio::awaitable<result<void>> post_token(exchange& current)
{
    auto draft = read_token_draft(current);
    if (draft.has_error())
        co_return draft.error();
    auto identity = read_identity(current);
    if (identity.has_error())
        co_return identity.error();
    renderer<created_token> render{created_token_answer};
    cases::create_token create{std::move(*draft)};
    auto made = co_await current.service().records.act(
        std::move(create), current.by(std::move(*identity)), std::move(render)
    );
    if (made.has_error())
        co_return made.error();
    write_kept(current, std::move(*made));
    co_return result<void>{};
}

asio::awaitable<result<void>> delete_token(exchange& current)
{
    cases::revoke_token revoke{};
    revoke.id = read_path_id(current.path[0]);
    if (revoke.id == 0)
        co_return refusal{refusal_kind::not_found, "There is no token of this id."};
    auto const id = revoke.id;
    auto const done = co_await current.service().records.change(revoke, current.by(std::nullopt));
    if (done.has_error())
        co_return done.error();
    current.service().access.forget_token(id);
    current.out.status = 204;
    co_return result<void>{};
}

}  // namespace gapless
