#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <deque>
#include <string>
#include <string_view>

namespace gapless {

/// Reports to the service manager that started the program, for example systemd, by the protocol of
/// sd_notify(3): datagrams to the socket NOTIFY_SOCKET. Without it, does nothing. Never blocks:
/// messages that the manager does not accept at once are repeated until it does. I/O thread only.
class service_manager
{
public:
    /// Removes NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID from the environment: construct it
    /// before there are threads.
    explicit service_manager(boost::asio::io_context& io);
    ~service_manager();
    service_manager(service_manager const&) = delete;
    service_manager& operator=(service_manager const&) = delete;

    /// READY: the program serves. From the first call on, if the manager has a watchdog, a timer of
    /// the I/O thread sends a sign of life at half its period: a hanging thread sends none.
    /// `status`: one line for people.
    void ready(std::string_view status);

    /// RELOADING: files are being read again; call ready() next.
    void reloading();

    /// STOPPING. Signs of life continue to the end.
    void stopping(std::string_view status);

private:
    void send(std::string message);
    void send_unsent();
    bool try_to_send(std::string const& message);
    void give_sign_of_life();

    int socket_{-1};
    std::string target_;                       // path, or a NUL and a name; empty: no manager
    std::chrono::microseconds sign_period_{};  // 0: no watchdog
    bool signs_begun_{};
    bool failure_logged_{};
    std::deque<std::string> unsent_;
    boost::asio::steady_timer sign_timer_;
    boost::asio::steady_timer again_timer_;
};

}  // namespace gapless
