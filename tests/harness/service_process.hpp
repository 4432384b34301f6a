#pragma once

#include "harness/process.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gapless::test {

/// A running gaplessd on a free port, killed at the end if it still runs. Its parts are for one
/// thread, the one that made it: the kernel kills the service with that thread, so that no service
/// outlives a test that died.
class service_process
{
public:
    using milliseconds = std::chrono::milliseconds;
    static constexpr milliseconds patience{30'000};

    /// Starts it and waits until it listens. `options` are added to the command line. Throws
    /// std::runtime_error with its log when it does not come up.
    explicit service_process(
        std::string const& database_url, std::vector<std::string> const& options = {}
    );

    /// "127.0.0.1:34567"
    std::string const& address() const noexcept { return address_; }

    pid_t id() const noexcept { return running_->id(); }

    /// Waits for 200 of /readyz; throws std::runtime_error when it takes too long.
    void wait_ready(milliseconds limit = patience);

    /// "200", or "503 <reason>".
    std::string readiness() const;

    void send(int signal) const { running_->send(signal); }

    /// Waits until `text` stands in its log. False when it ended or the time is over before.
    bool logs(std::string_view text) { return running_->wait_for(text, patience); }

    /// SIGKILL, and waits for its end.
    void kill();

    /// SIGTERM, and waits for its end. Returns the exit code; throws when it takes too long.
    int stop(milliseconds limit = patience);

    /// Everything it has logged; whole once it has ended.
    std::string const& log() const noexcept { return log_; }

private:
    std::unique_ptr<process> running_;
    std::string address_;
    std::string log_;
};

/// Where the programs under test are: GAPLESS_BIN_DIR of the environment, else where they are
/// built.
std::string program_path(std::string const& name);

/// Asks again and again until `condition` holds. False when the time is over before.
template <class Condition>
bool eventually(
    Condition const& condition, std::chrono::milliseconds limit = std::chrono::seconds{30}
)
{
    auto const deadline = std::chrono::steady_clock::now() + limit;
    while (!condition())
    {
        if (std::chrono::steady_clock::now() > deadline)
            return false;
        ::usleep(5'000);  // between two looks; nothing depends on its length
    }
    return true;
}

}  // namespace gapless::test
