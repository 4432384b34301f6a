#pragma once

#include "base/ip_address.hpp"
#include "webhooks/due_delivery.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace gapless {

class delivery_worker;

/// One request to a receiver.
struct delivery
{
    std::int32_t webhook_id{};
    int attempt{1};
    std::string notice_id;
    std::string url;
    std::vector<std::string> keys;  // that sign, one or two
    std::string authorization{};    // of the header field; empty: none
    std::string body;               // JSON
};

/// What every delivery keeps to.
struct delivery_rules
{
    std::vector<ip_network> networks;            // where private addresses and http are allowed
    std::chrono::milliseconds time_max{10'000};  // for all of it, from the name to the last byte
    std::string ca_file{};  // PEM file with who vouches for receivers; empty: the system's
};

/// Sends deliveries on a thread of its own, all at the same time: a slow receiver holds up no other
/// one. No redirect is followed, no proxy is asked, and each address is looked at when it is
/// connected to, so that a name cannot lead to another one than it did a moment ago.
class delivery_thread
{
public:
    /// Told how each delivery ended; called on the thread, must not block or throw.
    using listener = std::function<void(delivery_report)>;

    delivery_thread(delivery_rules rules, listener done);

    /// Drops what is under way, which nobody is told of any more; takes a moment.
    ~delivery_thread();
    delivery_thread(delivery_thread const&) = delete;
    delivery_thread& operator=(delivery_thread const&) = delete;

    /// Begins a delivery soon. Any thread; does not wait.
    void send(delivery wanted);

private:
    std::unique_ptr<delivery_worker> worker_;
    std::thread thread_;
};

}  // namespace gapless
