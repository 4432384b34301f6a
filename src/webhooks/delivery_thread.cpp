#include "webhooks/delivery_thread.hpp"

#include "base/contract.hpp"
#include "base/repeated_log.hpp"
#include "webhooks/delivery_transfer.hpp"

#include <curl/curl.h>
#include <utility>

namespace gapless {

namespace {

constexpr int look_interval_ms = 1'000;  // libcurl's own timers end a wait earlier
constexpr long kept_connections_max = 32;

/// libcurl's global state, initialized once before the first thread uses it.
void set_up_curl()
{
    static bool const done = ::curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    ensure(done, "libcurl can be set up");
}

CURLM* make_multi()
{
    set_up_curl();
    auto* const multi = ::curl_multi_init();
    ensure(multi != nullptr, "libcurl has memory for its transfers");
    ::curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, kept_connections_max);
    return multi;
}

void check(CURLMcode code)
{
    if (code != CURLM_OK)
        throw std::runtime_error{::curl_multi_strerror(code)};
}

}  // namespace

delivery_thread::delivery_thread(delivery_rules rules, listener done)
    : rules_{std::move(rules)},
      done_{std::move(done)},
      multi_{make_multi()},
      thread_{[this] { run(); }}
{
}

delivery_thread::~delivery_thread()
{
    {
        std::lock_guard const lock{mutex_};
        stopped_ = true;
    }
    ::curl_multi_wakeup(multi_);
    thread_.join();
    while (!under_way_.empty())
        let_go(under_way_.begin()->first);
    ::curl_multi_cleanup(multi_);
}

void delivery_thread::send(delivery wanted)
{
    {
        std::lock_guard const lock{mutex_};
        waiting_.push_back(std::move(wanted));
    }
    ::curl_multi_wakeup(multi_);
}

void delivery_thread::run()
{
    while (begin_new())
        try
        {
            work();
        }
        catch (std::exception const& error)
        {
            log_failure("webhooks_failed", error.what());
            give_up("gapless could not send it; its log says why");
        }
}

/// Returns false if told to stop.
bool delivery_thread::begin_new()
{
    std::vector<delivery> taken;
    {
        std::lock_guard const lock{mutex_};
        if (stopped_)
            return false;
        taken.swap(waiting_);
    }
    for (auto& each : taken)
        begin(std::move(each));
    return true;
}

void delivery_thread::begin(delivery wanted)
{
    delivery_report failed{
        .webhook_id = wanted.webhook_id,
        .notice_id = wanted.notice_id,
        .attempt = wanted.attempt,
        .error = {}};
    try
    {
        auto made = std::make_unique<delivery_transfer>(std::move(wanted), rules_);
        auto* const handle = made->handle();
        check(::curl_multi_add_handle(multi_, handle));
        under_way_.emplace(handle, std::move(made));
        return;
    }
    catch (std::exception const& error)
    {
        failed.error = error.what();
    }
    done_(std::move(failed));
}

/// One round: moves bytes, reports ended transfers, waits for more.
void delivery_thread::work()
{
    int running = 0;
    check(::curl_multi_perform(multi_, &running));
    end_done();
    check(::curl_multi_poll(multi_, nullptr, 0, look_interval_ms, nullptr));
}

void delivery_thread::end_done()
{
    int waiting = 0;
    while (auto const* const message = ::curl_multi_info_read(multi_, &waiting))
    {
        if (message->msg != CURLMSG_DONE)
            continue;
        auto const result = message->data.result;  // invalid once the handle is removed
        auto const ended = let_go(message->easy_handle);
        done_(ended->end(result));
    }
}

void delivery_thread::give_up(std::string const& why)
{
    while (!under_way_.empty())
        done_(let_go(under_way_.begin()->first)->end_with(why));
}

std::unique_ptr<delivery_transfer> delivery_thread::let_go(void* handle)
{
    ::curl_multi_remove_handle(multi_, handle);
    auto taken = under_way_.extract(handle);
    ensure(!taken.empty(), "a transfer that ends is one that was begun");
    return std::move(taken.mapped());
}

}  // namespace gapless
