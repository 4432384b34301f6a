#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gapless {

namespace media_type {
inline constexpr std::string_view json{"application/json"};
inline constexpr std::string_view problem{"application/problem+json"};
inline constexpr std::string_view csv{"text/csv; charset=utf-8"};
inline constexpr std::string_view svg{"image/svg+xml"};
inline constexpr std::string_view zpl{"application/zpl"};
inline constexpr std::string_view html{"text/html; charset=utf-8"};
inline constexpr std::string_view css{"text/css; charset=utf-8"};
inline constexpr std::string_view javascript{"text/javascript; charset=utf-8"};
inline constexpr std::string_view metrics{"text/plain; version=0.0.4; charset=utf-8"};
}  // namespace media_type

/// The rest of a long body, produced piece by piece while it is sent, so that a long answer
/// occupies neither the I/O thread nor much memory.
class body_rest
{
public:
    virtual ~body_rest() = default;

    /// Bytes still to come.
    virtual std::uint64_t bytes() const noexcept = 0;

    /// Appends the next piece; takes well under a millisecond.
    virtual void append_piece(std::string& body) = 0;
};

/// An answer before it becomes bytes. A connection reuses one, so that its strings keep their
/// memory.
struct answer
{
    int status{200};
    std::string_view content_type{media_type::json};  // lives as long as the program
    std::string_view content_security_policy{};       // the same; empty: no such field
    std::string location;                             // empty: no such field, here and below
    std::string etag;
    std::string allow;
    std::string_view problem{};  // the name of its type, for the log; lives as long
    std::string link;
    std::string cookie;  // Set-Cookie
    int retry_after_seconds{};
    bool asks_for_token{};  // WWW-Authenticate
    bool replayed{};        // Idempotency-Replayed
    // X-Request-Id, the client's or our own, as in the log; stays when the answer becomes another
    std::string request_id;
    std::string traceparent;  // as sent, also in the log; stays, too
    std::string cors_origin;  // the origin whose pages may read this answer
    std::string body;
    std::unique_ptr<body_rest> rest{};  // of the body; null: the body is complete

    std::uint64_t body_bytes() const noexcept { return body.size() + (rest ? rest->bytes() : 0); }

    /// Resets it to an empty 200 to the same request. Frees the memory of an unusually long body.
    void clear();
};

/// What the head says about the connection.
enum class connection_header
{
    none = 1,    // HTTP/1.1, stays open
    keep_alive,  // HTTP/1.0, stays open
    close,
};

/// Appends status line, fields and the empty line. Content-Length is that of the body, whether it
/// is sent (GET) or not (HEAD).
void append_head(std::string& bytes, answer const& given, connection_header connection);

}  // namespace gapless
