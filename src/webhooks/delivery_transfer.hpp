#pragma once

#include "webhooks/delivery_thread.hpp"
#include "webhooks/webhook_url.hpp"

#include <array>
#include <curl/curl.h>
#include <memory>
#include <string>

namespace gapless {

/// One request on its way to its answer, as a handle of libcurl. Not movable: libcurl knows its
/// address. One thread at a time.
class delivery_transfer
{
public:
    /// Signs with the current time. Throws std::runtime_error, worded for an administrator, if it
    /// cannot be sent.
    delivery_transfer(delivery wanted, delivery_rules const& rules);
    delivery_transfer(delivery_transfer const&) = delete;
    delivery_transfer& operator=(delivery_transfer const&) = delete;

    /// For the libcurl multi handle that does the work.
    CURL* handle() const noexcept { return handle_.get(); }

    /// The result, once libcurl is done. Its text names no address and no secret.
    delivery_report end(CURLcode result) const;

    /// The result of a transfer ended from outside.
    delivery_report end_with(std::string why) const;

private:
    struct easy_end
    {
        void operator()(CURL* handle) const noexcept { ::curl_easy_cleanup(handle); }
    };
    struct list_end
    {
        void operator()(curl_slist* list) const noexcept { ::curl_slist_free_all(list); }
    };

    static curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* wanted);
    static std::size_t take_answer(char* bytes, std::size_t size, std::size_t count, void* self);

    template <class Value>
    void set(CURLoption option, Value value);
    void set_request();
    void set_limits();
    void add_field(std::string const& name, std::string const& value);
    std::string what_failed(CURLcode result) const;
    long status() const noexcept;
    std::int32_t pause_seconds() const noexcept;

    delivery delivery_;
    delivery_rules const& rules_;
    webhook_url url_;
    std::unique_ptr<curl_slist, list_end> fields_;
    std::array<char, CURL_ERROR_SIZE> message_{};
    std::string obstacle_;        // why an address was refused; empty: none was
    bool connecting_{};           // to an address that was not refused
    std::size_t answer_bytes_{};  // received of its body
    std::unique_ptr<CURL, easy_end> handle_;
};

}  // namespace gapless
