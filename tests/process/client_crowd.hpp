#pragma once

#include "service_bench.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gapless::test {

/// What a crowd of clients does. "One in n": 0 is never.
struct crowd_plan
{
    std::string series;
    std::vector<credential> tokens;  // shared by the clients in turn
    int clients{16};                 // for each instance
    int requests{0};                 // of each client; 0: until it is told to stop
    int count_max{20};
    int contiguous_one_in{0};
    int repeat_one_in{0};  // a key that this or another client has sent, maybe at this moment
    int reuse_one_in{0};   // a key that was spent, with another count
    std::uint64_t seed{1};
};

/// Clients that issue from all instances of a bench at once, each in a thread of its own, and see
/// each of their keys through to a definite outcome.
class client_crowd
{
public:
    client_crowd(service_bench& bench, crowd_plan plan);
    ~client_crowd();

    /// New issuances answered so far.
    std::uint64_t issued() const noexcept { return issued_; }

    /// Waits until so many more were issued; throws std::runtime_error when they take too long or a
    /// client failed.
    void wait_for_more(std::uint64_t issuances);

    /// Tells the clients to end and waits until they have. Rethrows what one of them failed with.
    void stop();

    /// Waits for the end of their requests.
    void finish();

private:
    void work(int number);
    void take_turn(
        recording_client& client,
        std::string const& owner,
        std::size_t instance,
        std::mt19937_64& dice
    );
    bool repeat_known(
        recording_client& client,
        std::string const& owner,
        std::size_t instance,
        std::mt19937_64& dice
    );
    issue_wish make_wish(std::mt19937_64& dice) const;
    void join();

    service_bench& bench_;
    crowd_plan plan_;
    std::atomic<bool> stopping_{};
    std::atomic<std::uint64_t> issued_{};
    std::mutex mutex_;                                      // guards what follows
    std::vector<std::pair<std::string, issue_wish>> sent_;  // by owner, newest last
    std::vector<std::pair<std::string, issue_wish>> spent_;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

}  // namespace gapless::test
