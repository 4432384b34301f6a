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
    co_return co_await threads_.run(std::move(work.work), order);
}

std::optional<database_time> database_records::acted_at(
    std::int32_t owner_id, idempotency_key const& key
) const
{
    auto const found = acted_at_.find({owner_id, key});
    if (found == acted_at_.end() || std::chrono::system_clock::now() - found->second > answer_life_)
        return std::nullopt;
    return found->second;
}

void database_records::note_act(std::int32_t owner_id, idempotency_key const& key)
{
    constexpr std::size_t keys_max = 10'000;
    spent_key const spent{owner_id, key};
    auto const now =
        std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    if (!acted_at_.insert_or_assign(spent, now).second)
        return;
    in_order_.push_back(spent);
    if (in_order_.size() <= keys_max)
        return;
    acted_at_.erase(in_order_.front());
    in_order_.pop_front();
}

}  // namespace gapless
