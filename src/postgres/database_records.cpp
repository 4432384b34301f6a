#include "postgres/database_records.hpp"

namespace gapless {

namespace asio = boost::asio;

namespace {

/// Sets a flag while it lives, and clears it even after an exception.
class raised
{
public:
    explicit raised(bool& flag) : flag_{flag} { flag_ = true; }
    ~raised() { flag_ = false; }
    raised(raised const&) = delete;
    raised& operator=(raised const&) = delete;

private:
    bool& flag_;
};

}  // namespace

asio::awaitable<result<any_answer>> database_records::run(job work)
{
    auto const order = work.order;
    std::optional<raised> alone;
    if (order.kind == work_kind::proof)
    {
        if (proving_)
            co_return refusal{
                refusal_kind::overloaded, "a verification is under way; try again when it is done"};
        alone.emplace(proving_);
    }
    else if (order.kind == work_kind::comparison)
    {
        if (comparing_)
            co_return refusal{
                refusal_kind::overloaded,
                "another invoice is being compared; try again when it is done"};
        alone.emplace(comparing_);
    }
    auto const identity = work.by.identity;
    auto done = co_await threads_.run(std::move(work.work), order);
    if (identity && done.has_value())
        remember({identity->owner_id, identity->key});
    co_return done;
}

void database_records::remember(spent_key const& key)
{
    constexpr std::size_t keys_max = 10'000;
    if (!answered_.insert(key).second)
        return;
    in_order_.push_back(key);
    if (in_order_.size() <= keys_max)
        return;
    answered_.erase(in_order_.front());
    in_order_.pop_front();
}

}  // namespace gapless
