#include "harness/fake_service.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace gapless::test {

void fake_service::answer_access()
{
    answer<cases::read_database>([this](auto const&) { return database; });
    answer<tokens::revoke_token>([this](auto const& wanted) {
        revoked.push_back(wanted.id);
        return wanted.id;
    });
    answer<cases::close_day>([](auto const&) { return cases::closed_day{0, true}; });
    answer<cases::read_manifest>([](auto const&) -> result<cases::manifest_record> {
        return refusal{refusal_kind::not_found, "the day is not closed"};
    });
}

boost::asio::awaitable<result<void>> fake_service::check(std::string url)
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
        if (facts.has_version)
            made.etag = R"("7")";
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
