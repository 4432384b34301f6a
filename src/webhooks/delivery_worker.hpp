#pragma once

#include "webhooks/delivery_thread.hpp"
#include "webhooks/delivery_transfer.hpp"

#include <curl/curl.h>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace gapless {

/// The work of delivery_thread: runs all transfers in one libcurl multi handle.
class delivery_worker
{
public:
    delivery_worker(delivery_rules rules, delivery_thread::listener done);

    /// run() must have ended, or never started.
    ~delivery_worker();
    delivery_worker(delivery_worker const&) = delete;
    delivery_worker& operator=(delivery_worker const&) = delete;

    /// Works until told to stop. Runs on the thread.
    void run();

    /// Any thread; these do not wait.
    void stop();
    void take(delivery wanted);

private:
    bool begin_new();
    void begin(delivery wanted);
    void work();
    void end_done();
    void give_up(std::string const& why);
    std::unique_ptr<delivery_transfer> let_go(CURL* handle);

    delivery_rules rules_;
    delivery_thread::listener done_;
    CURLM* multi_;
    std::map<CURL*, std::unique_ptr<delivery_transfer>> under_way_;  // the thread only

    std::mutex mutex_;  // guards what follows
    std::vector<delivery> waiting_;
    bool stopped_{};
};

}  // namespace gapless
