#include "http/answer.hpp"

#include "base/contract.hpp"
#include "base/json_writer.hpp"

namespace gapless {

namespace {

constexpr int no_content = 204;  // has no body, so no Content-Length
constexpr std::size_t kept_body_bytes_max = 64 * 1'024;

std::string_view status_line(int status)
{
    switch (status)
    {
    case 200: return "HTTP/1.1 200 OK\r\n";
    case 201: return "HTTP/1.1 201 Created\r\n";
    case 202: return "HTTP/1.1 202 Accepted\r\n";
    case 204: return "HTTP/1.1 204 No Content\r\n";
    case 400: return "HTTP/1.1 400 Bad Request\r\n";
    case 401: return "HTTP/1.1 401 Unauthorized\r\n";
    case 403: return "HTTP/1.1 403 Forbidden\r\n";
    case 404: return "HTTP/1.1 404 Not Found\r\n";
    case 405: return "HTTP/1.1 405 Method Not Allowed\r\n";
    case 406: return "HTTP/1.1 406 Not Acceptable\r\n";
    case 408: return "HTTP/1.1 408 Request Timeout\r\n";
    case 409: return "HTTP/1.1 409 Conflict\r\n";
    case 412: return "HTTP/1.1 412 Precondition Failed\r\n";
    case 413: return "HTTP/1.1 413 Content Too Large\r\n";
    case 414: return "HTTP/1.1 414 URI Too Long\r\n";
    case 415: return "HTTP/1.1 415 Unsupported Media Type\r\n";
    case 417: return "HTTP/1.1 417 Expectation Failed\r\n";
    case 422: return "HTTP/1.1 422 Unprocessable Content\r\n";
    case 429: return "HTTP/1.1 429 Too Many Requests\r\n";
    case 431: return "HTTP/1.1 431 Request Header Fields Too Large\r\n";
    case 500: return "HTTP/1.1 500 Internal Server Error\r\n";
    case 503: return "HTTP/1.1 503 Service Unavailable\r\n";
    default: break;
    }
    ensure(false, "every status that is answered has a status line");
    return {};
}

void append_field(std::string& bytes, std::string_view name_and_colon, std::string_view value)
{
    if (value.empty())
        return;
    bytes += name_and_colon;
    bytes += value;
    bytes += "\r\n";
}

/// What a page of another origin may read and, if it sends a preflight, send (the Fetch standard).
/// An answer that lists methods and has no body answers OPTIONS.
void append_cors(std::string& bytes, answer const& given)
{
    if (given.cors_origin.empty())
        return;
    append_field(bytes, "Access-Control-Allow-Origin: ", given.cors_origin);
    bytes += "Vary: Origin\r\n"
             "Access-Control-Expose-Headers: ETag, Idempotency-Replayed, Link, Location, "
             "Retry-After, X-Request-Id\r\n";
    if (given.status != no_content || given.allow.empty())
        return;
    append_field(bytes, "Access-Control-Allow-Methods: ", given.allow);
    bytes += "Access-Control-Allow-Headers: Authorization, Content-Type, Idempotency-Key, "
             "If-Match, X-Request-Id, traceparent\r\nAccess-Control-Max-Age: 600\r\n";
}

}  // namespace

void answer::clear()
{
    status = 200;
    content_type = media_type::json;
    content_security_policy = {};
    location.clear();
    etag.clear();
    allow.clear();
    problem = {};
    link.clear();
    cookie.clear();
    cors_origin.clear();
    retry_after_seconds = 0;
    asks_for_token = false;
    replayed = false;
    rest.reset();
    body.clear();
    if (body.capacity() > kept_body_bytes_max)
        body.shrink_to_fit();
}

void append_head(std::string& bytes, answer const& given, connection_header connection)
{
    bytes += status_line(given.status);
    if (given.status != no_content)
    {
        append_field(bytes, "Content-Type: ", given.content_type);
        bytes += "Content-Length: ";
        append_decimal(bytes, static_cast<std::int64_t>(given.body_bytes()));
        bytes += "\r\n";
    }
    // Pages of other ports and hosts cannot embed our content: whether an <img> loads would reveal
    // which numbers exist.
    bytes += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
             "Cross-Origin-Resource-Policy: same-origin\r\n";
    append_field(bytes, "X-Request-Id: ", given.request_id);
    append_field(bytes, "traceparent: ", given.traceparent);
    append_field(bytes, "Content-Security-Policy: ", given.content_security_policy);
    append_field(bytes, "Location: ", given.location);
    append_field(bytes, "ETag: ", given.etag);
    append_field(bytes, "Allow: ", given.allow);
    append_field(bytes, "Link: ", given.link);
    append_field(bytes, "Set-Cookie: ", given.cookie);
    append_cors(bytes, given);
    if (given.retry_after_seconds > 0)
    {
        bytes += "Retry-After: ";
        append_decimal(bytes, given.retry_after_seconds);
        bytes += "\r\n";
    }
    if (given.asks_for_token)
        bytes += "WWW-Authenticate: Bearer\r\n";
    if (given.replayed)
        bytes += "Idempotency-Replayed: true\r\n";
    if (connection == connection_header::close)
        bytes += "Connection: close\r\n";
    else if (connection == connection_header::keep_alive)
        bytes += "Connection: keep-alive\r\n";
    bytes += "\r\n";
}

}  // namespace gapless
