#pragma once

#include "postgres/database_threads.hpp"
#include "postgres/record_service.hpp"

#include <deque>
#include <set>
#include <utility>

namespace gapless {

/// Runs use cases on the database threads, which must outlive it. I/O thread only.
class database_records : public record_service
{
public:
    explicit database_records(database_threads& threads) : threads_{threads} {}

    bool has_answered(std::int32_t owner_id, idempotency_key const& key) const override
    {
        return answered_.contains({owner_id, key});
    }

private:
    using spent_key = std::pair<std::int32_t, idempotency_key>;

    boost::asio::awaitable<result<any_answer>> run(job work) override;
    void remember(spent_key const& key);

    database_threads& threads_;
    std::set<spent_key> answered_;
    std::deque<spent_key> in_order_;  // the oldest is forgotten first
    bool proving_{};
    bool comparing_{};
};

}  // namespace gapless
