#include "service/issue_queue.hpp"

#include "base/contract.hpp"
#include "base/failpoint.hpp"
#include "base/log.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <random>

namespace gapless {

namespace asio = boost::asio;

issue_queue::issue_queue(
    asio::io_context& io,
    asio::thread_pool& connectors,
    lane_settings settings,
    queue_limits limits,
    std::function<void(series_mark const&)> remember
)
    : io_{io},
      limits_{limits},
      sweep_timer_{io},
      pause_timer_{io},
      gather_timer_{io},
      remember_{std::move(remember)},
      lane_{
          io,
          connectors,
          std::move(settings),
          {
              .ended = [this](batch_end end) { on_ended(std::move(end)); },
              .connected =
                  [this] {
                      log_event(log_level::info, "database_connected");
                      trouble_.clear();
                      fenced_ = false;
                      schedule_pump();
                  },
              .lost =
                  [this](std::string why) {
                      // Once per reason, not once per attempt.
                      if (why != trouble_)
                          log_event(log_level::warning, "database_lost", {{"why", why}});
                      trouble_ = std::move(why);
                      fenced_ = false;
                  },
              .fenced = [this](std::string why) { on_fenced(std::move(why)); },
          }}
{
}

issue_queue::~issue_queue() = default;

void issue_queue::start()
{
    lane_.start();
    sweep();
}

void issue_queue::stop()
{
    stopped_ = true;
    sweep_timer_.cancel();
    pause_timer_.cancel();
    gather_timer_.cancel();
    lane_.stop();
    for (auto& [id, line] : lines_)
        for (auto& waiting : std::exchange(line.entries, {}))
            end(*waiting, late(*waiting), clock::now());
    waiting_ = 0;
}

void issue_queue::submit(issue_request request, std::unique_ptr<issue_listener> listener)
{
    pass_failpoint("P3");
    if (!takes_one_more())
    {
        ++counters_.refused_overloaded;
        auto refuse = [listener = std::move(listener), ahead = waiting_] {
            listener->ended(refusal{
                refusal_kind::overloaded,
                std::to_string(ahead) + " requests are waiting; try again later with the same key"}
            );
        };
        asio::post(io_, std::move(refuse));
        return;
    }
    auto added =
        std::make_unique<entry>(entry{std::move(request), std::move(listener), clock::now()});
    if (fenced_)
        return refuse_fenced(std::move(added));
    auto& line = lines_[added->request.series_id];
    added->look_up = added->request.contiguous;
    if (!std::exchange(line.scheduled, true))
        turns_.push_back(added->request.series_id);
    line.entries.push_back(std::move(added));
    ++waiting_;
    schedule_pump();
}

void issue_queue::on_ended(batch_end ended)
{
    auto const found = std::ranges::find(flights_, ended.id, &flight::id);
    ensure(found != flights_.end(), "a batch that ended was under way");
    auto done = std::move(*found);
    flights_.erase(found);
    under_way_ -= done.entries.size();
    gather_ = 0;

    switch (ended.fate)
    {
    case batch_fate::done:
        note_replays(done, ended.replayed);
        note_pace(done);
        expect_back(done);
        pump();  // first the next batch, so that PostgreSQL works while we answer
        if (remember(ended.answers))
            answer(done, ended.answers);
        else
            for (auto& unanswered : done.entries)
            {
                unanswered->uncertain = true;
                end(*unanswered, late(*unanswered), clock::now());
            }
        return;
    case batch_fate::not_plain:
        if (done.several)
        {
            send_alone(std::move(done));
            break;
        }
        for (auto& special : done.entries)
        {
            special->look_up = true;
            if (seeded_bug("spent-key-taken-for-new"))
                special->request.key.bytes[0] ^= 0xff;
        }
        send_again(std::move(done));
        break;
    case batch_fate::conflict: on_conflict(std::move(done)); break;
    case batch_fate::failed:
        if (done.several)
        {
            send_alone(std::move(done));
            break;
        }
        for (auto& failed : done.entries)
            end(*failed, failed->uncertain ? late(*failed) : ended.why, clock::now());
        break;
    case batch_fate::unknown:
        ++counters_.unknown_batches;
        for (auto& uncertain : done.entries)
        {
            uncertain->look_up = true;
            uncertain->uncertain = !seeded_bug("uncertainty-forgotten");
            if (seeded_bug("unknown-with-new-key"))
                uncertain->request.key.bytes[0] ^= 0xff;
            if (seeded_bug("unknown-answered-as-failed"))
                end(*uncertain,
                    refusal{refusal_kind::database_unavailable, "a seeded bug"},
                    clock::now());
        }
        send_again(std::move(done));
        break;
    }
    schedule_pump();
}

void issue_queue::answer(flight& done, std::vector<result<issuance>>& answers)
{
    ensure(answers.size() == done.entries.size(), "every request of a batch has an answer");
    if (seeded_bug("answers-swapped") && answers.size() > 1)
        std::swap(answers[0], answers[1]);
    auto const now = clock::now();
    for (std::size_t n = 0; n < answers.size(); ++n)
    {
        if (answers[n].has_value() && answers[n]->replayed)
            ++counters_.replays;
        else if (answers[n].has_value())
            counters_.numbers += static_cast<std::uint64_t>(answers[n]->count());
        end(*done.entries[n], std::move(answers[n]), now);
    }
}

void issue_queue::send_again(flight back)
{
    // To the front, in their old order: they came first.
    for (auto returning = back.entries.rbegin(); returning != back.entries.rend(); ++returning)
    {
        if (!(*returning)->listener)
            continue;
        auto const series_id = (*returning)->request.series_id;
        auto& line = lines_[series_id];
        line.entries.push_front(std::move(*returning));
        ++waiting_;
        if (!std::exchange(line.scheduled, true))
            turns_.push_front(series_id);
    }
}

void issue_queue::send_alone(flight back)
{
    for (auto& returning : back.entries)
        returning->alone = true;
    send_again(std::move(back));
}

void issue_queue::on_conflict(flight back)
{
    static thread_local std::minstd_rand dice{std::random_device{}()};
    ++counters_.conflicts;
    int most = 0;
    for (auto& tried : back.entries)
    {
        most = std::max(most, ++tried->conflicts);
        if (tried->conflicts >= limits_.conflicts_max && !tried->uncertain)
            end(*tried,
                refusal{
                    refusal_kind::database_unavailable,
                    "the transaction was in conflict " + std::to_string(tried->conflicts) +
                        " times; try again with the same key"},
                clock::now());
    }
    send_again(std::move(back));

    auto const pause = std::chrono::microseconds{
        std::uniform_int_distribution<int>{0, 500 * (1 << std::min(most, 6))}(dice)};
    paused_until_ = clock::now() + pause;
    pause_timer_.expires_at(paused_until_);
    pause_timer_.async_wait([this](boost::system::error_code error) {
        if (!error)
            schedule_pump();
    });
}

void issue_queue::end(entry& ended, result<issuance> outcome, clock::time_point now)
{
    if (!ended.listener)
        return;
    if (outcome.has_error() && outcome.error().kind == refusal_kind::outcome_unknown)
        ++counters_.answered_unknown;
    counters_.durations.add(now - ended.arrived);
    std::exchange(ended.listener, nullptr)->ended(std::move(outcome));
}

}  // namespace gapless
