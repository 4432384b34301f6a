#include "client_crowd.hpp"

#include <optional>

namespace gapless::test {

namespace {

bool one_in(int n, std::mt19937_64& dice)
{
    return n > 0 && std::uniform_int_distribution<int>{1, n}(dice) == 1;
}

/// One of the wishes of this owner, the newest most of the time: then it may still be under way.
std::optional<issue_wish> pick(
    std::vector<std::pair<std::string, issue_wish>> const& wishes,
    std::string const& owner,
    std::mt19937_64& dice
)
{
    if (wishes.empty())
        return std::nullopt;
    auto const last = wishes.size() - 1;
    auto const at =
        one_in(2, dice) ? last : std::uniform_int_distribution<std::size_t>{0, last}(dice);
    for (auto n = at + 1; n > 0; --n)
        if (wishes[n - 1].first == owner)
            return wishes[n - 1].second;
    return std::nullopt;
}

}  // namespace

client_crowd::client_crowd(service_bench& bench, crowd_plan plan)
    : bench_{bench},
      plan_{std::move(plan)}
{
    auto const all = plan_.clients * static_cast<int>(bench_.addresses().size());
    for (int number = 0; number < all; ++number)
        threads_.emplace_back([this, number] {
            try
            {
                work(number);
            }
            catch (...)
            {
                std::lock_guard const lock{mutex_};
                failure_ = std::current_exception();
                stopping_ = true;
            }
        });
}

client_crowd::~client_crowd()
{
    stopping_ = true;
    join();
}

void client_crowd::join()
{
    for (auto& thread : threads_)
        if (thread.joinable())
            thread.join();
}

void client_crowd::finish()
{
    join();
    if (failure_)
        std::rethrow_exception(failure_);
}

void client_crowd::stop()
{
    stopping_ = true;
    finish();
}

void client_crowd::wait_for_more(std::uint64_t issuances)
{
    auto const wanted = issued_ + issuances;
    auto const reached =
        eventually([&] { return issued_ >= wanted || stopping_; }, std::chrono::seconds{60});
    if (stopping_)
        finish();
    if (!reached)
        throw std::runtime_error{"the service issues nothing any more"};
}

void client_crowd::work(int number)
{
    auto const instances = bench_.addresses().size();
    auto const& who = plan_.tokens[static_cast<std::size_t>(number) % plan_.tokens.size()];
    auto client = bench_.client(who);
    std::mt19937_64 dice{plan_.seed * 1'000'003 + static_cast<std::uint64_t>(number)};
    for (int n = 0; !stopping_ && (plan_.requests == 0 || n < plan_.requests); ++n)
        take_turn(client, who.client, static_cast<std::size_t>(number) % instances, dice);
}

issue_wish client_crowd::make_wish(std::mt19937_64& dice) const
{
    auto const count = std::uniform_int_distribution<int>{1, plan_.count_max}(dice);
    return {plan_.series, make_key(dice), count, one_in(plan_.contiguous_one_in, dice)};
}

void client_crowd::take_turn(
    recording_client& client, std::string const& owner, std::size_t instance, std::mt19937_64& dice
)
{
    if (repeat_known(client, owner, instance, dice))
        return;
    auto const wanted = make_wish(dice);
    {
        std::lock_guard const lock{mutex_};
        sent_.emplace_back(owner, wanted);
    }
    auto const done = client.issue_until_definite(wanted, instance);
    if (done.fate != attempt_fate::ok)
        return;
    ++issued_;
    std::lock_guard const lock{mutex_};
    spent_.emplace_back(owner, wanted);
}

bool client_crowd::repeat_known(
    recording_client& client, std::string const& owner, std::size_t instance, std::mt19937_64& dice
)
{
    auto const reuse = one_in(plan_.reuse_one_in, dice);
    if (!reuse && !one_in(plan_.repeat_one_in, dice))
        return false;
    std::optional<issue_wish> known;
    {
        std::lock_guard const lock{mutex_};
        known = pick(reuse ? spent_ : sent_, owner, dice);
    }
    if (!known)
        return false;
    if (!reuse)
    {
        client.issue_until_definite(*known, instance);
        return true;
    }
    known->count += 1;
    auto const refused = client.issue_once(*known, instance, operation::reuse);
    if (refused.status != 422 && refused.fate != attempt_fate::info && refused.status != 503 &&
        refused.status != 0)
        throw std::runtime_error{
            "a spent key with another count was answered with " + std::to_string(refused.status)};
    return true;
}

}  // namespace gapless::test
