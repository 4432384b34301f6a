#include "notices/notice_follower.hpp"

#include "cli/argument.hpp"
#include "cli/program_input.hpp"
#include "cli/whole_file.hpp"
#include "notices/notice_json.hpp"
#include "notices/notice_telling.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <thread>
#include <utility>

namespace gapless::cli {

namespace {

using std::chrono::seconds;

constexpr seconds look_interval{1};
constexpr seconds away_interval{5};  // while the database is unavailable
constexpr seconds pause_min{1};      // before the command is retried
constexpr seconds pause_max{60};
constexpr std::int32_t notices_of_look = 100;
constexpr std::size_t state_bytes_max = 100;

/// Where to continue after a notice. The past is not repeated: if a database was put back,
/// continues at its last notice.
std::int64_t place_in(notice_bounds const& bounds, std::int64_t seq) noexcept
{
    if (bounds.reach_behind(seq))
        return seq;
    return seq > bounds.last ? bounds.last : bounds.oldest - 1;
}

}  // namespace

std::int64_t read_state(std::string const& file)
{
    if (!std::filesystem::exists(file))
        return 0;
    auto text = read_whole_file(file, state_bytes_max);
    while (text.ends_with('\n'))
        text.pop_back();
    auto const seq = read_integer(text, 0, std::numeric_limits<std::int64_t>::max());
    if (seq.has_error())
        throw usage_error(fmt::format("--state: {} is no state: {}", file, seq.error().detail));
    return *seq;
}

notice_follower::notice_follower(
    command_context& context,
    follow_options options,
    std::function<void(std::vector<notice_record> const&)> print
)
    : context_{context},
      options_{std::move(options)},
      print_{std::move(print)},
      position_{options_.after}
{
    if (options_.state.empty())
        return;
    if (auto const seq = read_state(options_.state); seq > 0)
        position_ = seq;
    done_with(position_);  // to notice an unwritable file before anything else
}

void notice_follower::run()
{
    context_.signals().changes_are_kept();
    context_.connection();  // no database: an error at the start; awaited later
    for (;;)
    {
        try
        {
            look();
            context_.signals().stop_if_arrived();
            std::this_thread::sleep_for(look_interval);
        }
        catch (output_failed const& failure)
        {
            throw command_failed{
                exit_code::failure,
                fmt::format(
                    "{}\n  to go on: gapless notice follow --after {}", failure.what(), position_
                )};
        }
        catch (command_failed const& failure)
        {
            if (failure.code != exit_code::unreachable)
                throw;
            context_.say(failure.what());
            wait_for_database();
        }
    }
}

/// Passes on all notices available.
void notice_follower::look()
{
    publish_if_allowed(context_);
    for (auto notices = read(); !notices.empty(); notices = read())
    {
        if (options_.command.empty())
            print_(notices);
        else
            for (auto const& notice : notices)
            {
                context_.signals().stop_if_arrived();
                tell(notice);
            }
        done_with(notices.back().seq);
    }
}

std::vector<notice_record> notice_follower::read()
{
    notice_bounds bounds;
    auto notices = value_of(context_.read([&](pqxx::transaction_base& transaction) {
        bounds = read_notice_bounds(transaction);
        return read_notices(
            transaction, {.after = place_in(bounds, position_), .limit = notices_of_look}
        );
    }));
    if (auto const place = place_in(bounds, position_); place != position_)
    {
        context_.say(fmt::format(
            "{} is no notice of this database, or it has expired; goes on behind {}",
            position_,
            place
        ));
        done_with(place);
    }
    return notices;
}

/// Runs the command until it accepts the notice.
void notice_follower::tell(notice_record const& notice)
{
    auto const record = notice_json(notice) + '\n';
    if (context_.options().dry_run)
        return context_.print_text(record);
    for (auto pause = pause_min;; pause = std::min(pause * 2, pause_max))
    {
        auto const code = run_with_input(context_.signals(), options_.command, record);
        if (code == 0)
            break;
        context_.say(fmt::format(
            "notice {}: the command ended with exit code {}; runs again in {} s",
            notice.seq,
            code,
            pause.count()
        ));
        std::this_thread::sleep_for(pause);
    }
    done_with(notice.seq);
}

void notice_follower::done_with(std::int64_t seq)
{
    position_ = seq;
    if (!options_.state.empty() && !context_.options().dry_run)
        replace_whole_file(options_.state, std::to_string(seq) + '\n');
}

void notice_follower::wait_for_database()
{
    for (;;)
    {
        context_.signals().stop_if_arrived();
        std::this_thread::sleep_for(away_interval);
        try
        {
            context_.reconnect();
            context_.say("the database is back");
            return;
        }
        catch (command_failed const& failure)
        {
            if (failure.code != exit_code::unreachable)
                throw;
        }
    }
}

}  // namespace gapless::cli
