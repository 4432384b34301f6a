#include "http/connection.hpp"

#include "base/log.hpp"
#include "http/dispatch.hpp"
#include "http/spawn.hpp"

#include <boost/asio/co_spawn.hpp>

#include <utility>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr std::string_view go_on{"HTTP/1.1 100 Continue\r\n\r\n"};

}  // namespace

http_connection::http_connection(asio::ip::tcp::socket socket, std::shared_ptr<server_state> state)
    : state_{std::move(state)},
      wire_{std::move(socket), *state_},
      reader_{state_->limits.header_bytes_max},
      clock_{state_->limits},
      current_{*state_}
{
    current_.peer = wire_.peer();
    ++state_->counters.connections_open;
    ++state_->connections;
}

http_connection::~http_connection()
{
    close();
    --state_->connections;
    if (state_->on_connection_ended)
        state_->on_connection_ended();
}

void http_connection::start()
{
    asio::co_spawn(wire_.executor(), run(shared_from_this()), log_failure_as("connection_failed"));
}

asio::awaitable<void> http_connection::run(std::shared_ptr<http_connection> self)
{
    auto& me = *self;
    if (me.state_->tls)
    {
        auto const encrypted = co_await me.begin_tls();
        if (!encrypted)
            co_return;
    }
    me.enter(phase::header);
    while (me.wire_.is_open())
    {
        // Inlined here: a coroutine for each step would cost one more frame per request.
        while (!me.find_head())
        {
            auto const room = me.reader_.room();
            auto const count = co_await me.wire_.receive(room);
            if (count == 0)
            {
                me.end_of_input();
                break;
            }
            me.reader_.took(count);
        }
        if (!me.wire_.is_open())
            break;
        if (me.parting_ && !me.begun_)
        {
            co_await me.linger(phase::parting);
            break;
        }
        if (!me.closing_ && me.take_head())
            co_await me.answer_request();
        if (!me.wire_.is_open())
        {
            note_answer(me.current_, me.began_);
            break;
        }
        auto const all_sent = co_await me.send_answer();
        if (!all_sent)
            break;
        me.end_request();
        if (me.closing_)
        {
            co_await me.linger(phase::lingering);
            break;
        }
    }
    me.close();
}

/// The TLS handshake, within header_time_max. Returns false if it failed and the connection ended.
asio::awaitable<bool> http_connection::begin_tls()
{
    enter(phase::handshake);
    auto const stands = co_await wire_.shake_hands();
    if (stands == client_wire::handshake::done)
        co_return true;
    if (stands == client_wire::handshake::plain_http)
    {
        begin_request();
        give_up({400, "This port speaks TLS: write https:// instead of http://."});
        begin_answer();
        wire_.send_at_once(writer_);
    }
    co_await linger(phase::lingering);
    close();
    co_return false;
}

/// Returns true if the head of the next request is complete, or never will be: then the answer is
/// made.
bool http_connection::find_head()
{
    using progress = request_reader::progress;
    auto const found = reader_.look();
    if (found != progress::idle && !begun_)
        begin_request();
    if (found == progress::faulty)
        give_up(reader_.why());
    return found == progress::faulty || found == progress::head;
}

void http_connection::begin_request()
{
    begun_ = true;
    write_request_id(++state_->requests_begun, current_.out.request_id);
    current_.out.traceparent.clear();
    if (state_->log)
        began_ = std::chrono::steady_clock::now();
    enter(phase::header);
}

/// Reads the head that was found. Returns false if it is faulty; the answer is made.
bool http_connection::take_head()
{
    enter(phase::running);
    ++requests_;
    auto const head = read_head(reader_.head(), state_->limits);
    if (head.has_error())
    {
        give_up(head.error());
        return false;
    }
    current_.head = *head;
    if (head->request_id)
        current_.out.request_id = *head->request_id;
    if (head->traceparent)
        current_.out.traceparent = *head->traceparent;
    return true;
}

/// Makes the answer to a request whose head was read: the handler's, or a refusal.
asio::awaitable<void> http_connection::answer_request()
{
    try
    {
        auto const routed = take_route(current_);
        if (auto const why = find_body_fault(current_, routed.has_value()))
        {
            give_up(*why);
            co_return;
        }
        if (answer_options(current_, routed))
        {
            closing_ = closing_ || leaves_body_unread(current_) || current_.head.content_length > 0;
            co_return;
        }
        auto const decided = decide(current_, routed);
        result<void> outcome;
        if (decided.has_error())
            outcome = decided.error();
        else if (!*decided)
            outcome = co_await authorize(current_);
        if (outcome.has_value())
            outcome = take_room(current_);

        if (outcome.has_error() && leaves_body_unread(current_))
            closing_ = true;
        else if (!current_.head.is_chunked && reader_.has_body(current_.head.content_length))
            current_.body = reader_.body(current_.head.content_length);
        else
        {
            auto receiving = current_.head.is_chunked ? receive_chunks() : receive_late_body();
            auto const arrived = co_await std::move(receiving);
            if (!arrived)
                co_return;
            if (outcome.has_value() && current_.who)
                outcome = co_await look_at_token_again(current_);
        }
        if (outcome.has_value())
        {
            auto const place = take_place(current_);
            if (place.has_error())
                outcome = place.error();
            else
                outcome = co_await current_.matched->handle(current_);
        }
        if (outcome.has_error())
            state_->problems.write(current_.out, outcome.error(), current_.head.text_language);
    }
    catch (std::exception const& why)
    {
        fail(why);
    }
}

/// Waits for the rest of a body that did not come with its head. Returns false if it did not come;
/// the answer is made.
asio::awaitable<bool> http_connection::receive_late_body()
{
    auto const& head = current_.head;
    reader_.begin_late_body(head.content_length);
    enter(phase::body);
    if (head.expects_continue && !head.http_1_0 && reader_.late_bytes() == 0)
        co_await wire_.send(go_on);
    for (auto room = reader_.late_room(); room.size() > 0; room = reader_.late_room())
    {
        auto const count = co_await wire_.receive(room);
        if (count == 0)
        {
            end_of_input();
            co_return false;
        }
        reader_.took_late(count);
    }
    enter(phase::running);
    current_.body = reader_.late_body();
    co_return true;
}

/// Waits for the end of a body in chunks. Returns false if it did not come or cannot be read; the
/// answer is made.
asio::awaitable<bool> http_connection::receive_chunks()
{
    auto const& head = current_.head;
    auto done = reader_.begin_chunks(decoder_for(current_));
    if (!done)
    {
        enter(phase::body);
        if (head.expects_continue && reader_.none_of_chunks())
            co_await wire_.send(go_on);
    }
    while (!done)
    {
        auto const room = reader_.chunk_room();
        auto const count = co_await wire_.receive(room);
        if (count == 0)
        {
            end_of_input();
            co_return false;
        }
        done = reader_.took_chunks(count);
    }
    enter(phase::running);
    if (auto const& why = reader_.chunks().found_fault())
    {
        give_up(*why);
        co_return false;
    }
    current_.body = reader_.chunks().bytes();
    co_return true;
}

/// Forgets the request that was answered.
void http_connection::end_request()
{
    reader_.next(current_.head.bytes + current_.head.content_length);
    writer_.end();
    current_.begin();
    begun_ = false;
    enter(phase::idle);
}

/// Where the next request begins is unknown or no longer matters: sends one answer, then closes.
void http_connection::give_up(fault const& why)
{
    closing_ = true;
    ++state_->counters.framing_faults;
    state_->problems.write(current_.out, why, current_.head.text_language);
}

void http_connection::fail(std::exception const& why)
{
    closing_ = true;
    ++state_->counters.failures;
    auto const pattern = current_.matched ? current_.matched->pattern : std::string_view{};
    log_event(
        log_level::error,
        "request_failed",
        {{"request_id", current_.out.request_id},
         {"method", current_.head.method},
         {"route", pattern},
         {"why", why.what()}}
    );
    state_->problems.write_failure(current_.out, current_.head.text_language);
}

// Sending answers.

/// Makes the first bytes of the answer.
void http_connection::begin_answer()
{
    auto const& head = current_.head;
    allow_origin(current_);
    auto const requests_max = state_->limits.requests_per_connection_max;
    closing_ = closing_ || !head.keep_alive || state_->stopping ||
               (requests_max > 0 && requests_ >= requests_max);
    auto const connection = closing_        ? connection_header::close
                            : head.http_1_0 ? connection_header::keep_alive
                                            : connection_header::none;
    writer_.begin(current_.out, connection, !reader_.is_for_head());
    wire_.seal(writer_);
    note_answer(current_, began_);
    enter(phase::writing);
}

/// Writes the answer. Returns false if the client is gone or does not read.
asio::awaitable<bool> http_connection::send_answer()
{
    begin_answer();
    auto const sent = wire_.send_at_once(writer_);
    bool all_sent = true;
    if (sent < writer_.bytes())
        all_sent = co_await wire_.send_rest(writer_, sent);
    // Each piece is its own turn on the I/O thread, so that others are served in between.
    while (all_sent && writer_.next_piece())
    {
        wire_.seal(writer_);
        all_sent = co_await wire_.send_rest(writer_, 0);
    }
    co_return all_sent;
}

// Ending a connection.

/// No more bytes will come, or they did not come in time.
void http_connection::end_of_input()
{
    if (!wire_.is_open())
        return;
    if (!begun_ && parting_)
        return;  // cancelled by us, not ended by the client
    if (!begun_)
        close();
    else if (clock_.late())
        give_up({408, "The request did not arrive in time."});
    else
        give_up({400, "The connection ended inside the request."});
}

/// Reads and discards what the client still sends: closing with unread bytes would reset the
/// connection and could cost the client the answer.
asio::awaitable<void> http_connection::linger(phase how)
{
    clock_.forgive();
    wire_.read_again();
    enter(how);
    co_await wire_.part();
    std::size_t count = 1;
    while (count > 0)
    {
        reader_.drop();
        auto const room = reader_.room();
        count = co_await wire_.receive(room);
    }
}

void http_connection::look_at_deadline()
{
    using verdict = connection_clock::verdict;
    using presence = client_wire::presence;
    if (!wire_.is_open())
        return;
    switch (clock_.look(state_->sweep, begun_))
    {
    case verdict::stay: return;
    case verdict::answer:
        ++state_->counters.timeouts;
        wire_.cancel_reading();
        return;
    case verdict::close:
        if (clock_.now() == phase::writing)
            ++state_->counters.timeouts;
        wire_.cancel_reading();
        close();
        return;
    case verdict::look: break;
    }
    // More requests after the current one are no departure; only the end of the client's side is.
    auto const client = wire_.look_for_client();
    if (client == presence::gone ||
        (client == presence::half_closed && clock_.note_half_closed(state_->sweep)))
        depart();
}

/// Ends the connection; the request goes on, and its answer is kept under its key. A client that
/// waits for notices may leave at any time, and is not counted.
void http_connection::depart() noexcept
{
    if (!current_.waiting)
        ++state_->counters.departures;
    close();
}

bool http_connection::make_room()
{
    if (!clock_.leaving() || !wire_.is_open())
        return false;
    depart();
    return true;
}

std::optional<std::uint64_t> http_connection::waits_since()
{
    auto const now = clock_.now();
    auto const waits =
        now == phase::idle || now == phase::handshake || (now == phase::header && !begun_);
    // A request that has arrived is answered, although nobody has read it yet.
    if (!waits || !wire_.is_open() || wire_.has_unread())
        return std::nullopt;
    return clock_.since();
}

void http_connection::part_when_idle()
{
    if (!waits_since())
        return;
    parting_ = true;
    wire_.stop_waiting();
}

void http_connection::close() noexcept
{
    if (current_.waiting)
        current_.waiting->end();
    wire_.close(/*politely=*/clock_.now() != phase::writing);
    if (std::exchange(counted_, false))
        --state_->counters.connections_open;
}

}  // namespace gapless
