#include "harness/fake_service.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace gapless::test {

namespace {

constexpr database_time the_moment{std::chrono::microseconds{1'795'212'311'123'456}};

token_record to_record(token_draft const& draft)
{
    return {
        .token_id = 17,
        .owner_id = 17,
        .name = draft.name,
        .scopes = draft.scopes,
        .series = draft.series,
        .expires_at = draft.expires_at,
        .created_at = the_moment,
        .revoked_at = std::nullopt,
        .in_force = true,
        .rate = draft.rate,
        .burst = draft.burst,
        .daily_quota = draft.daily_quota};
}

}  // namespace

void fake_service::answer_access()
{
    answer<cases::read_series_use>([this](auto const& wanted) -> result<series_use> {
        auto const found = std::ranges::find(records, wanted.name, &series_record::name);
        if (found == records.end())
            return refusal{refusal_kind::unknown_series, "there is no such series"};
        constexpr auto today = std::chrono::year{2026} / 11 / 20;
        return series_use{*found, {.today = today, .numbers = used_days, .used_today = 3}};
    });
    answer<cases::read_database>([this](auto const&) { return database; });
    answer<cases::list_tokens>([this](auto const& wanted) {
        std::vector<token_record> found;
        for (auto const& token : token_records)
            if (token.token_id > wanted.page.after.value_or(0) &&
                found.size() < static_cast<std::size_t>(*wanted.page.limit))
                found.push_back(token);
        return found;
    });
    answer<cases::create_token>([this](auto const& wanted) {
        token_drafts.push_back(wanted.draft);
        return created_token{to_record(wanted.draft), "gapless_17_secret"};
    });
    answer<cases::revoke_token>([this](auto const& wanted) {
        revoked.push_back(wanted.id);
        return wanted.id;
    });
    answer<cases::close_day>([this](auto const& wanted) {
        closed_days.push_back(wanted.day.day);
        return cases::closed_day{
            manifest.count, std::ranges::count(closed_days, wanted.day.day) == 1};
    });
    answer<cases::read_manifest>([this](auto const& wanted) -> result<cases::manifest_record> {
        if (std::ranges::find(closed_days, wanted.day.day) == closed_days.end())
            return refusal{refusal_kind::not_found, "the day is not closed"};
        return manifest;
    });
}

boost::asio::awaitable<result<void>> fake_service::check(webhook_url url)
{
    co_await boost::asio::post(io_, boost::asio::use_awaitable);
    checked_urls.push_back(std::move(url));
    if (refuses_url)
        co_return *refuses_url;
    co_return result<void>{};
}

void fake_service::answer_operations()
{
    auto const run = [this](run_operation const& wanted) {
        operations.push_back(wanted);
        auto const& facts = *wanted.wanted->answer;
        answered made{.json = R"({"id":"9"})", .kept = {}, .id = "9"};
        if (facts.is_list)
            made.json = R"({"items":[],"next":null})";
        if (facts.has_secret)
            made.kept = std::exchange(made.json, R"({"id":"9","secret":"s"})");
        return made;
    };
    answer<run_operation>(run);
    answer<run_secret_operation>(run);
}

}  // namespace gapless::test
