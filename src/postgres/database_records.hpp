#pragma once

#include "postgres/database_threads.hpp"
#include "postgres/record_service.hpp"

#include <chrono>
#include <deque>
#include <map>
#include <utility>

namespace gapless {

/// Runs use cases on the database threads, which must outlive it. I/O thread only.
class database_records : public record_service
{
public:
    /// `answer_life`: how long the key of an act stays its own.
    database_records(database_threads& threads, std::chrono::milliseconds answer_life)
        : threads_{threads},
          answer_life_{answer_life}
    {
    }

    std::optional<database_time> acted_at(std::int32_t owner_id, idempotency_key const& key)
        const override;

private:
    using spent_key = std::pair<std::int32_t, idempotency_key>;

    boost::asio::awaitable<result<any_answer>> run(job work) override;
    void note_act(std::int32_t owner_id, idempotency_key const& key) override;

    database_threads& threads_;
    std::chrono::milliseconds answer_life_;
    std::map<spent_key, database_time> acted_at_;
    std::deque<spent_key> in_order_;  // the oldest is forgotten first
    bool proving_{};
    bool comparing_{};
};

}  // namespace gapless
