#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <deque>
#include <string>
#include <string_view>

namespace gapless {

/// Reports to the service manager that started the program, systemd for example, by the protocol of
/// sd_notify(3): datagrams to the socket NOTIFY_SOCKET names. Without one it says nothing. Never
/// blocks: what the manager does not take at once is repeated until it does. I/O thread only.
class service_manager
{
public:
    /// Takes NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID out of the environment: make it before
    /// there are threads.
    explicit service_manager(boost::asio::io_context& io);
    ~service_manager();
    service_manager(service_manager const&) = delete;
    service_manager& operator=(service_manager const&) = delete;

    /// READY: the program serves. From the first one on a sign of life is given by a timer of the
    /// I/O thread at half the time the manager waits for one, where it waits: a thread that hangs
    /// gives none. `status`: one line for people.
    void ready(std::string_view status);

    /// RELOADING: it reads files again; ready() comes next.
    void reloading();

    /// STOPPING. Signs of life are given until the end.
    void stopping(std::string_view status);

private:
    void send(std::string message);
    void send_unsent();
    bool try_to_send(std::string const& message);
    void give_sign_of_life();

    int socket_{-1};
    std::string target_;  // path, or a name behind a zero; empty: nobody listens
    std::chrono::microseconds sign_period_{};  // 0: no signs of life are wanted
    bool signs_begun_{};
    bool failure_logged_{};
    std::deque<std::string> unsent_;
    boost::asio::steady_timer sign_timer_;
    boost::asio::steady_timer again_timer_;
};

}  // namespace gapless
