#include "webhooks/delivery_transfer.hpp"

#include "base/contract.hpp"
#include "webhooks/socket_address.hpp"
#include "webhooks/webhook_signature.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace gapless {

namespace {

/// Of an answer's body, which nobody reads; a longer one is cut off.
constexpr std::size_t answer_bytes_max = 64 * 1'024;

constexpr std::size_t error_characters_max = 200;
constexpr curl_off_t pause_seconds_max = 3'600;
constexpr long status_final_min = 200;
constexpr long status_gone = 410;

std::int64_t now_seconds()
{
    auto const now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

std::string status_error(long status)
{
    if (status >= 200 && status < 300)
        return {};
    if (status >= 300 && status < 400)
        return fmt::format("it answered {}: redirects are not followed", status);
    return fmt::format("it answered {}", status);
}

/// Reduces text that may contain a receiver's data to printable ASCII of limited length.
std::string to_public_error(std::string_view text)
{
    std::string shown{text.substr(0, error_characters_max)};
    for (auto& c : shown)
        if (c < ' ' || c > '~')
            c = '?';
    return shown;
}

}  // namespace

delivery_transfer::delivery_transfer(delivery wanted, delivery_rules const& rules)
    : delivery_{std::move(wanted)},
      rules_{rules},
      handle_{::curl_easy_init()}
{
    // It was checked before it was stored, but others can write to the table.
    auto url = read_webhook_url(delivery_.url);
    if (url.has_error())
        throw std::runtime_error{"its URL is none that deliveries can be made to"};
    url_ = std::move(*url);
    if (!handle_)
        throw std::runtime_error{"there is no memory for another delivery"};
    set_request();
    set_limits();
}

template <class Value>
void delivery_transfer::set(CURLoption option, Value value)
{
    ensure(
        ::curl_easy_setopt(handle_.get(), option, value) == CURLE_OK,
        "libcurl knows every option of a delivery"
    );
}

void delivery_transfer::add_field(std::string const& name, std::string const& value)
{
    // A colon with nothing after it removes a field that libcurl would send.
    auto const line = value.empty() ? name + ':' : name + ": " + value;
    auto* const longer = ::curl_slist_append(fields_.get(), line.c_str());
    if (longer == nullptr)
        throw std::runtime_error{"there is no memory for another delivery"};
    static_cast<void>(fields_.release());
    fields_.reset(longer);
}

void delivery_transfer::set_request()
{
    auto const sent = now_seconds();
    auto const& id = delivery_.notice_id;
    signed_message const message{.id = id, .sent_seconds = sent, .body = delivery_.body};
    add_field("Content-Type", "application/json");
    add_field("webhook-id", id);
    add_field("webhook-timestamp", std::to_string(sent));
    add_field("webhook-signature", sign(message, delivery_.keys));
    if (!delivery_.authorization.empty())
        add_field("Authorization", delivery_.authorization);
    add_field("Expect", "");

    set(CURLOPT_URL, url_.text.c_str());
    set(CURLOPT_PATH_AS_IS, 1L);
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDS, delivery_.body.c_str());
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(delivery_.body.size()));
    set(CURLOPT_HTTPHEADER, fields_.get());
    set(CURLOPT_USERAGENT, "gapless/" GAPLESS_VERSION);
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
}

void delivery_transfer::set_limits()
{
    set(CURLOPT_PROTOCOLS_STR, url_.secure ? "https" : "http");
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_PROXY, "");  // nor the environment's: it would bypass the address check
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (!rules_.ca_file.empty())
        set(CURLOPT_CAINFO, rules_.ca_file.c_str());
    set(CURLOPT_NOSIGNAL, 1L);
    // A name server that does not answer must not delay others once the time is over.
    set(CURLOPT_QUICK_EXIT, 1L);
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(rules_.time_max.count()));
    set(CURLOPT_OPENSOCKETFUNCTION, &delivery_transfer::open_socket);
    set(CURLOPT_OPENSOCKETDATA, this);
    set(CURLOPT_WRITEFUNCTION, &delivery_transfer::take_answer);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_ERRORBUFFER, message_.data());
}

/// Called when libcurl is about to connect to an address of the name: checks that address.
curl_socket_t delivery_transfer::open_socket(void* self, curlsocktype, curl_sockaddr* wanted)
{
    auto& transfer = *static_cast<delivery_transfer*>(self);
    try
    {
        auto const address = read_socket_address(&wanted->addr);
        auto why = address
                       ? delivery_obstacle(transfer.url_.secure, *address, transfer.rules_.networks)
                       : std::string{"its address is of no family that is connected to"};
        if (!why.empty())
        {
            transfer.obstacle_ = std::move(why);
            return CURL_SOCKET_BAD;
        }
    }
    catch (...)  // out of memory; exceptions must not reach libcurl, which is C
    {
        return CURL_SOCKET_BAD;
    }
    transfer.connecting_ = true;
    return ::socket(wanted->family, wanted->socktype | SOCK_CLOEXEC, wanted->protocol);
}

/// Reads and discards the answer's body.
std::size_t delivery_transfer::take_answer(char*, std::size_t size, std::size_t count, void* self)
{
    auto& transfer = *static_cast<delivery_transfer*>(self);
    transfer.answer_bytes_ += size * count;
    return transfer.answer_bytes_ > answer_bytes_max ? 0 : size * count;
}

long delivery_transfer::status() const noexcept
{
    long status = 0;
    ::curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/// How long the receiver wants no delivery: its Retry-After, as seconds or as a moment.
std::int32_t delivery_transfer::pause_seconds() const noexcept
{
    curl_off_t seconds = 0;
    ::curl_easy_getinfo(handle_.get(), CURLINFO_RETRY_AFTER, &seconds);
    // libcurl has 0 for digits beyond its type.
    ::curl_header* field = nullptr;
    if (::curl_easy_header(handle_.get(), "Retry-After", 0, CURLH_HEADER, -1, &field) == CURLHE_OK)
    {
        std::string_view const text{field->value};
        std::uint32_t read{};
        if (std::from_chars(text.data(), text.data() + text.size(), read).ec ==
            std::errc::result_out_of_range)
            return pause_seconds_max;
    }
    return static_cast<std::int32_t>(std::clamp<curl_off_t>(seconds, 0, pause_seconds_max));
}

/// A final status is the answer, whatever becomes of the body that follows it.
delivery_report delivery_transfer::end(CURLcode result) const
{
    if (result != CURLE_OK && status() < status_final_min)
        return end_with(what_failed(result));
    auto ended = end_with(status_error(status()));
    ended.pause_seconds = pause_seconds();
    ended.gone = status() == status_gone;
    ended.status = static_cast<std::int32_t>(status());
    return ended;
}

delivery_report delivery_transfer::end_with(std::string why) const
{
    return {
        .webhook_id = delivery_.webhook_id,
        .notice_id = delivery_.notice_id,
        .attempt = delivery_.attempt,
        .error = std::move(why)};
}

std::string delivery_transfer::what_failed(CURLcode result) const
{
    switch (result)
    {
    case CURLE_COULDNT_RESOLVE_HOST: return "its name has no address";
    case CURLE_COULDNT_CONNECT: {
        if (!connecting_ && !obstacle_.empty())
            return obstacle_;
        long error = 0;
        ::curl_easy_getinfo(handle_.get(), CURLINFO_OS_ERRNO, &error);
        return error == 0 ? "it cannot be connected to"
                          : "it cannot be connected to: " +
                                std::generic_category().message(static_cast<int>(error));
    }
    case CURLE_UNSUPPORTED_PROTOCOL: return "it does not answer in HTTP";
    case CURLE_OPERATION_TIMEDOUT:
        return fmt::format("no answer within {} s", rules_.time_max.count() / 1'000);
    case CURLE_PEER_FAILED_VERIFICATION:
        if (message_.front() != '\0')
            return to_public_error(message_.data());
        [[fallthrough]];
    default: return to_public_error(::curl_easy_strerror(result));
    }
}

}  // namespace gapless
