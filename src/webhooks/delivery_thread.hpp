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
    std::vector<std::string> keys;  // for the signature, one or two
    std::string authorization{};    // of the header field; empty: none
    std::string body;               // JSON
};

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
    std::unique_ptr<delivery_worker> worker_;
    std::thread thread_;
};

}  // namespace gapless
