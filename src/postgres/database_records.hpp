#pragma once

#include "postgres/database_threads.hpp"
#include "postgres/record_service.hpp"

namespace gapless {

/// Runs use cases on the database threads, which must outlive it. I/O thread only.
class database_records : public record_service
{
public:
    explicit database_records(database_threads& threads) : threads_{threads} {}

private:
    boost::asio::awaitable<result<any_answer>> run(job work) override;

    database_threads& threads_;
    bool proving_{};
    bool comparing_{};
};

}  // namespace gapless
