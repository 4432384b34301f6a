#include "http/session.hpp"

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

session::session(asio::ip::tcp::socket socket, std::shared_ptr<server_state> state)
    : state_{std::move(state)},
      wire_{std::move(socket), *state_},
      reader_{state_->limits.header_bytes_max},
      clock_{state_->limits},
      current_{*state_}
{
    current_.peer = wire_.peer();
    ++state_->counters.connections_open;
    ++state_->sessions;
}

session::~session()
{
    close();
    --state_->sessions;
    if (state_->on_session_ended)
        state_->on_session_ended();
}

void session::start()
{
    asio::co_spawn(wire_.executor(), run(shared_from_this()), log_failure_as("session_failed"));
}

asio::awaitable<void> session::run(std::shared_ptr<session> self)
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
        // Here, and not in a coroutine of their own: each would be a frame more for each request.
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
        auto all_sent = co_await me.send_answer();
        if (all_sent && me.current_.out.events)
            all_sent = co_await me.send_events();
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

/// The handshake, within the time of a header. False: it failed, and the connection has ended.
asio::awaitable<bool> session::begin_tls()
{
    enter(phase::handshake);
    auto const stands = co_await wire_.shake_hands();
    if (stands == client_wire::handshake::done)
        co_return true;
    if (stands == client_wire::handshake::plain_http)
    {
        give_up({400, "This port speaks TLS: write https:// instead of http://."});
        begin_answer();
        wire_.send_at_once(writer_);
    }
    co_await linger(phase::lingering);
    close();
    co_return false;
}

/// True when the head of the next request is complete, or it is clear that it never will be: then
/// the answer is made.
bool session::find_head()
{
    using progress = request_reader::progress;
    auto const found = reader_.look();
    if (found != progress::idle && !begun_)
        begin_request();
    if (found == progress::faulty)
        give_up(reader_.why());
    return found == progress::faulty || found == progress::head;
}

void session::begin_request()
{
    begun_ = true;
    write_request_id(++state_->requests_begun, current_.out.request_id);
    if (state_->log)
        began_ = std::chrono::steady_clock::now();
    enter(phase::header);
}

/// Reads the head that was found. False: it is faulty, and the answer is made.
bool session::take_head()
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
    return true;
}

/// Makes the answer to a request whose head was read: the handler's, or the reason why not.
asio::awaitable<void> session::answer_request()
{
    try
    {
        auto const routed = take_route(current_);
        if (auto const why = find_body_fault(current_, routed.has_value()))
        {
            give_up(*why);
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
        else if (reader_.has_body(current_.head.content_length))
            current_.body = reader_.body(current_.head.content_length);
        else
        {
            auto const arrived = co_await receive_late_body();
            if (!arrived)
                co_return;
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
            state_->problems.write(current_.out, outcome.error());
    }
    catch (std::exception const& why)
    {
        fail(why);
    }
}

/// Waits for the rest of a body that did not come with its head. False: it did not come; the answer
/// is made.
asio::awaitable<bool> session::receive_late_body()
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

/// Forgets the request that was answered.
void session::end_request()
{
    reader_.next(current_.head.bytes + current_.head.content_length);
    writer_.end();
    current_.begin();
    begun_ = false;
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
    log_event(
        log_level::error,
        "request_failed",
        {{"request_id", current_.out.request_id},
         {"method", current_.head.method},
         {"route", pattern},
         {"why", why.what()}}
    );
    state_->problems.write_failure(current_.out);
}

}  // namespace gapless
