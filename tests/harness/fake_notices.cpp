#include "harness/fake_service.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <deque>
#include <utility>

namespace gapless::test {

namespace asio = boost::asio;

/// Sends what it is told to.
class fake_service::fake_stream : public event_stream
{
public:
    fake_stream(asio::io_context& io, std::shared_ptr<std::list<fake_stream*>> all)
        : all_{std::move(all)},
          bell_{io}
    {
        all_->push_back(this);
    }
    ~fake_stream() override { all_->remove(this); }
    fake_stream(fake_stream const&) = delete;
    fake_stream& operator=(fake_stream const&) = delete;

    asio::awaitable<stream_piece> next() override
    {
        constexpr auto as_outcome = asio::as_tuple(asio::use_awaitable);
        while (!ended_ && texts_.empty())
        {
            bell_.expires_after(std::chrono::hours{1});
            co_await bell_.async_wait(as_outcome);
        }
        if (ended_)
            co_return stream_piece{};
        auto const text = std::move(texts_.front());
        texts_.pop_front();
        stream_piece piece;
        piece.text = text;
        piece.parts.push_back(*text);
        co_return piece;
    }

    void end() noexcept override
    {
        ended_ = true;
        bell_.cancel();
    }

    void send(std::shared_ptr<std::string const> text)
    {
        texts_.push_back(std::move(text));
        bell_.cancel();
    }

private:
    std::shared_ptr<std::list<fake_stream*>> all_;
    asio::steady_timer bell_;
    std::deque<std::shared_ptr<std::string const>> texts_;
    bool ended_{};
};

asio::awaitable<result<std::unique_ptr<event_stream>>> fake_service::follow(
    notice_wish wish, acting by
)
{
    co_await asio::post(io_, asio::use_awaitable);
    notice_wishes.push_back(std::move(wish));
    actors.push_back(by.actor.name);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    co_return std::unique_ptr<event_stream>{std::make_unique<fake_stream>(io_, streams_)};
}

void fake_service::send_to_streams(std::string const& text)
{
    auto const shared = std::make_shared<std::string const>(text);
    for (auto* stream : *streams_)
        stream->send(shared);
}

void fake_service::end_streams()
{
    for (auto* stream : *streams_)
        stream->end();
}

void fake_service::answer_notices()
{
    answer<cases::list_notices>([this](auto const& wanted) {
        notice_pages.push_back(wanted.page);
        std::vector<notice_record> found;
        for (auto const& notice : notices)
            if (notice.seq > wanted.page.after &&
                found.size() < static_cast<std::size_t>(wanted.page.limit))
                found.push_back(notice);
        return found;
    });
}

}  // namespace gapless::test
