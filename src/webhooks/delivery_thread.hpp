#pragma once

#include "base/ip_address.hpp"
#include "webhooks/delivery.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace gapless {

class delivery_transfer;

/// The rules for every delivery.
struct delivery_rules
{
    std::vector<ip_network> networks;            // where private addresses and http are allowed
    std::chrono::milliseconds time_max{10'000};  // in total, from the name look-up to the last byte
    std::string ca_file{};  // PEM file with CAs for receivers; empty: the system's
};

/// Sends deliveries on its own thread, all at the same time: a slow receiver delays no other. It
/// follows no redirect and uses no proxy, and each address is checked when connecting, so that a
/// name cannot lead elsewhere than a moment ago.
class delivery_thread
{
public:
    /// Called with the result of each delivery, on the thread; must not block or throw.
    using listener = std::function<void(delivery_report)>;

    delivery_thread(delivery_rules rules, listener done);

    /// Drops deliveries under way without reporting them; takes a moment.
    ~delivery_thread();
    delivery_thread(delivery_thread const&) = delete;
    delivery_thread& operator=(delivery_thread const&) = delete;

    /// Starts a delivery soon. Any thread; does not wait.
    void send(delivery wanted);

private:
    void run();
    bool begin_new();
    void begin(delivery wanted);
    void work();
    void end_done();
    void give_up(std::string const& why);
    std::unique_ptr<delivery_transfer> let_go(void* handle);

    delivery_rules rules_;
    listener done_;
    void* multi_;  // CURLM: all transfers, on the thread only but for waking it
    std::map<void*, std::unique_ptr<delivery_transfer>> under_way_;  // by CURL; the thread only

    std::mutex mutex_;  // guards the next two
    std::vector<delivery> waiting_;
    bool stopped_{};
    std::thread thread_;  // last: uses all of them
};

}  // namespace gapless
