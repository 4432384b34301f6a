#include "issuing/failing_pipeline.hpp"

#include "base/failpoint.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <string_view>
#include <sys/socket.h>
#include <thread>

namespace gapless {

namespace {

// For all we can tell, PostgreSQL has executed by then what was sent to it.
constexpr std::chrono::milliseconds time_to_execute{50};

class failing_pipeline : public pipeline
{
public:
    using pipeline::pipeline;

    bool send(std::string const& statement, binary_parameters& parameters) override
    {
        auto const locks = statement == "lock";
        is_batch_ = !locks && statement != "unlock";
        if (locks || (is_batch_ && !locked_))
            pass("batch_leaving");
        if (is_batch_)
            pass_when_executed("lock_taken");
        locked_ = locks;
        auto const sent = pipeline::send(statement, parameters);
        if (is_batch_)
            pass("batch_queued");
        return sent;
    }

    bool sync() override
    {
        if (is_batch_)
            pass_when_executed("batch_sent");
        auto const sent = pipeline::sync();
        syncs_.push_back(is_batch_);
        if (is_batch_)
            pass("commit_sent");
        return sent;
    }

    bool probe() override
    {
        syncs_.push_back(false);
        return pipeline::probe();
    }

    bool flush() override
    {
        auto const all = pipeline::flush();
        if (std::ranges::find(syncs_, true) != syncs_.end())  // of a batch, not of a probe
            pass_when_executed("commit_arrived");
        return all;
    }

    result_pointer next_result() override
    {
        auto result = cut_ ? nullptr : pipeline::next_result();
        if (PQresultStatus(result.get()) != PGRES_PIPELINE_SYNC || syncs_.empty())
            return result;
        auto const of_batch = syncs_.front();
        syncs_.pop_front();
        if (of_batch)
            pass("answer_arrived");
        if (cut_)
            result.reset();
        return result;
    }

private:
    void pass(std::string_view point)
    {
        if (pass_failpoint(point))
            cut();
    }

    /// Sends what is queued and gives it time to execute before the failure.
    void pass_when_executed(std::string_view point)
    {
        if (!failpoint_due(point))
            return;
        PQsendFlushRequest(connection_);
        PQflush(connection_);
        std::this_thread::sleep_for(time_to_execute);
        if (run_failpoint(point))
            cut();
    }

    void cut()
    {
        cut_ = true;
        ::shutdown(PQsocket(connection_), SHUT_RDWR);
    }

    bool locked_{};           // the latest statement was the lock of a batch
    bool is_batch_{};         // the latest statement was a batch
    std::deque<bool> syncs_;  // not answered yet; true: of a batch
    bool cut_{};
};

}  // namespace

std::unique_ptr<pipeline> open_failing_pipeline(PGconn* connection)
{
    return std::make_unique<failing_pipeline>(connection);
}

}  // namespace gapless
