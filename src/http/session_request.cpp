#include "base/log.hpp"
#include "http/dispatch.hpp"
#include "http/session.hpp"

#include <algorithm>

namespace gapless {

namespace asio = boost::asio;
using boost::beast::http::verb;

namespace {

constexpr std::size_t joined_body_bytes_max =
    16 * 1'024;  // beyond, a copy costs more than a gather
constexpr std::size_t kept_body_bytes_max = 64 * 1'024;
constexpr std::size_t piece_bytes_max = 64 * 1'024;  // written, or encrypted, in one turn

}  // namespace

/// True when the head of the next request is complete, or it is clear that it never will be.
bool session::find_head()
{
    if (!begun_)
    {
        // RFC 9112 2.2: one empty line before a request is forgiven.
        if (!skipped_line_ && input_.bytes().starts_with("\r\n"))
        {
            input_.consume(2);
            skipped_line_ = true;
        }
        if (input_.empty() || input_.bytes() == "\r")
            return false;
        begun_ = true;
        current_.number = ++state_->requests_begun;
        if (state_->log)
            began_ = std::chrono::steady_clock::now();
        enter(phase::header);
    }
    // What lies beyond the limit is not looked at, so that the answer does not depend on how the
    // bytes arrive.
    auto const header_max = state_->limits.header_bytes_max;
    if (scanner_.scan(input_.bytes().substr(0, header_max)))
    {
        if (auto const& found = scanner_.found_fault())
            give_up(*found);
        return true;
    }
    if (input_.bytes().size() <= header_max)
        return false;
    if (scanner_.in_request_line())
        give_up({414, "The target of the request is too long."});
    else
        give_up({431, "The header is too large."});
    return true;
}

/// Reads the head that was found. False: it is faulty, and the answer is made.
bool session::take_head()
{
    enter(phase::running);
    ++requests_;
    auto const head = read_head(input_.bytes().substr(0, scanner_.end()), state_->limits);
    if (head.has_error())
    {
        give_up(head.error());
        return false;
    }
    current_.head = *head;
    return true;
}

/// What can be decided before the body is read and without the database. False: ask authorize().
/// Faults of the body's size are answered here.
result<bool> session::decide()
{
    auto const routed = take_route(current_);
    auto const length = current_.head.content_length;
    if (length > body_bytes_max(current_))
    {
        give_up({413, "The body is larger than this path takes."});
        return false;
    }
    if (routed.has_error())
        return hides_path(current_, routed.error()) ? unauthenticated() : routed.error();
    if (length > 0 && current_.matched->body == body_size::none)
    {
        give_up({400, "This path takes no body."});
        return false;
    }
    return authorize_from_memory(current_);
}

/// A client that was refused is not asked for a long body, nor for one it waits to send; the
/// connection then ends with the answer. Decided by the head alone, so that the answer does not
/// depend on how the bytes arrive.
bool session::leaves_body_unread(bool refused) const noexcept
{
    auto const& head = current_.head;
    return refused && head.content_length > 0 &&
           (head.expects_continue || head.content_length > state_->limits.body_bytes_max);
}

std::uint64_t session::request_bytes() const noexcept
{
    return current_.head.bytes + current_.head.content_length;
}

/// No more bytes will come, or not in time.
void session::end_of_input()
{
    if (!socket_.is_open())
        return;
    if (!begun_)
        close();
    else if (late_)
        give_up({408, "The request did not arrive in time."});
    else
        give_up({400, "The connection ended inside the request."});
}

/// Makes the bytes of the answer.
void session::begin_answer()
{
    auto const& head = current_.head;
    auto const requests_max = state_->limits.requests_per_connection_max;
    closing_ = closing_ || !head.keep_alive || state_->stopping ||
               (requests_max > 0 && requests_ >= requests_max);
    auto const connection = closing_        ? connection_header::close
                            : head.http_1_0 ? connection_header::keep_alive
                                            : connection_header::none;
    output_.clear();
    append_head(output_, current_.out, connection);
    long_piece_ = long_body_ = {};
    if (head.verb == verb::head)
        current_.out.rest.reset();
    else if (current_.out.body.size() <= joined_body_bytes_max)
        output_ += current_.out.body;
    else
        cut_piece(current_.out.body);
    if (tls_)
        seal_output();
    count_and_log();
    enter(phase::writing);
}

void session::cut_piece(std::string_view body) noexcept
{
    long_piece_ = body.substr(0, piece_bytes_max);
    long_body_ = body.substr(long_piece_.size());
}

/// Makes the next bytes of an answer of which some were sent. False: that was all.
bool session::next_piece()
{
    auto* const rest = current_.out.rest.get();
    output_.clear();
    if (!long_body_.empty())
        cut_piece(long_body_);
    else if (rest && rest->bytes() > 0)
        rest->append_piece(output_);
    else
        return false;
    if (tls_)
        seal_output();
    return true;
}

std::array<asio::const_buffer, 2> session::output_parts() const noexcept
{
    return {asio::buffer(output_), asio::buffer(long_piece_)};
}

std::size_t session::output_bytes() const noexcept
{
    return output_.size() + long_piece_.size();
}

/// Writes without waiting; returns how much the socket took.
std::size_t session::send_at_once()
{
    boost::system::error_code failed_or_full;
    auto const sent = long_piece_.empty()
                          ? socket_.write_some(asio::buffer(output_), failed_or_full)
                          : socket_.write_some(output_parts(), failed_or_full);
    state_->counters.bytes_sent += sent;
    return sent;
}

void session::count_and_log()
{
    auto& counters = state_->counters;
    auto const status = current_.out.status;
    ++counters.requests;
    ++counters.answers[static_cast<std::size_t>(status) / 100];
    if (!state_->log)
        return;
    auto const took = std::chrono::steady_clock::now() - began_;
    auto const id = to_request_id(current_.number);
    state_->log(
        {.method = current_.head.method,
         .pattern = current_.matched ? current_.matched->pattern : std::string_view{},
         .status = status,
         .duration = std::chrono::duration_cast<std::chrono::microseconds>(took),
         .request_id = id}
    );
}

/// Forgets the request that was answered.
void session::end_request()
{
    input_.consume(std::min<std::uint64_t>(input_.bytes().size(), request_bytes()));
    current_.begin();
    scanner_ = {};
    begun_ = false;
    skipped_line_ = false;
    if (late_body_.capacity() > kept_body_bytes_max)
        late_body_ = {};
    if (output_.capacity() > kept_body_bytes_max)
        output_ = {};
    enter(phase::idle);
}

/// Where the next request begins is not known, or does not matter any more: one answer, then the
/// end.
void session::give_up(fault const& why)
{
    closing_ = true;
    ++state_->counters.framing_faults;
    state_->problems.write(current_.out, why);
}

void session::fail(std::exception const& why)
{
    closing_ = true;
    ++state_->counters.failures;
    auto const pattern = current_.matched ? current_.matched->pattern : std::string_view{};
    auto const id = to_request_id(current_.number);
    log_event(
        log_level::error,
        "request_failed",
        {{"request_id", id},
         {"method", current_.head.method},
         {"route", pattern},
         {"why", why.what()}}
    );
    state_->problems.write_failure(current_.out);
}

}  // namespace gapless
