/// Sends issue requests at a given rate, whatever the service does meanwhile, and writes down what
/// each of them saw. For tools/torture, which judges it.
#include "load/line.hpp"

#include <boost/asio/post.hpp>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <deque>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <sys/resource.h>
#include <vector>

namespace gapless::load {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds tick{1};
constexpr int turns_max = 3;
constexpr std::chrono::seconds backlog_time_max{2};  // then an arrival gives up, unsent

class crowd
{
public:
    crowd(asio::io_context& io, options const& told) : told_{told}, timer_{io}, dice_{told.seed}
    {
        for (std::size_t n = 0; n < told_.connections; ++n)
            lines_.push_back(
                std::make_unique<line>(io, told_, told_.series[n % told_.series.size()])
            );
        for (auto& each : lines_)
            idle_.push_back(each.get());
    }

    void start()
    {
        begun_ = clock::now();
        over_ = begun_ + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>{
                             told_.seconds});
        if (told_.rate > 0)
            return arrive();
        for (auto* each : std::exchange(idle_, {}))
            each->send(fresh(clock::now()), persist());
    }

    std::vector<attempt> const& seen() const noexcept { return seen_; }
    std::size_t unsent() const noexcept { return unsent_; }

private:
    attempt fresh(clock::time_point due)
    {
        auto const high = dice_();
        auto const low = dice_();
        attempt made;
        made.key = fmt::format(
            "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xffff,
            high & 0xfff,
            low >> 52,
            low & 0xffffffffffff
        );
        made.due = due;
        return made;
    }

    /// Open: what is due leaves on an idle connection, the oldest first.
    void arrive()
    {
        auto const now = clock::now();
        std::chrono::duration<double> const elapsed = std::min(now, over_) - begun_;
        for (; static_cast<double>(arrived_) < elapsed.count() * told_.rate; ++arrived_)
            backlog_.push_back(
                begun_ + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>{
                             static_cast<double>(arrived_) / told_.rate})
            );
        while (!backlog_.empty() && now - backlog_.front() > backlog_time_max)
        {
            backlog_.pop_front();
            ++unsent_;
        }
        launch();
        if (now >= over_ && backlog_.empty())
            return;
        timer_.expires_after(tick);
        timer_.async_wait([this](boost::system::error_code const&) { arrive(); });
    }

    void launch()
    {
        while (!backlog_.empty() && !idle_.empty())
        {
            // The one that answered last: those that had to wait keep their connections open. Of
            // several series each has its turn.
            auto const at = told_.series.size() > 1 ? idle_.begin() : std::prev(idle_.end());
            auto* const free = *at;
            idle_.erase(at);
            free->send(fresh(backlog_.front()), once());
            backlog_.pop_front();
        }
    }

    /// Open: not again, unless the service closed the connection, which was idle for too long.
    std::function<void(line&, attempt)> once()
    {
        return [this](line& used, attempt done) {
            seen_.push_back(done);
            if (done.sent && done.seen.status == 0 && done.turn < turns_max)
            {
                ++done.turn;
                return used.send(std::move(done), once());
            }
            idle_.push_back(&used);
        };
    }

    /// Closed: the next when this one is definite, else the same again after a pause.
    std::function<void(line&, attempt)> persist()
    {
        return [this](line& used, attempt done) {
            seen_.push_back(done);
            if (done.definite())
            {
                if (clock::now() >= over_)
                    return;
                asio::post(timer_.get_executor(), [this, &used] {
                    used.send(fresh(clock::now()), persist());
                });
                return;
            }
            ++done.turn;
            std::uniform_real_distribution<double> spread{0.5, 1.5};
            used.wait(
                std::chrono::duration<double>{told_.retry_seconds * spread(dice_)},
                [this, &used, done] { used.send(done, persist()); }
            );
        };
    }

    options const& told_;
    asio::steady_timer timer_;
    std::mt19937_64 dice_;
    std::vector<std::unique_ptr<line>> lines_;
    std::vector<line*> idle_;
    std::deque<clock::time_point> backlog_;
    std::uint64_t arrived_{};
    std::size_t unsent_{};
    clock::time_point begun_;
    clock::time_point over_;
    std::vector<attempt> seen_;
};

void write_down(std::string const& file, std::vector<attempt> const& seen)
{
    std::ofstream out{file};
    auto const ns = [](clock::time_point moment) { return moment.time_since_epoch().count(); };
    for (auto const& a : seen)
        out << fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
            a.key,
            a.series,
            a.turn,
            ns(a.due),
            ns(a.start),
            ns(a.end),
            a.sent ? 1 : 0,
            a.seen.status,
            a.seen.problem,
            a.seen.executed,
            a.seen.retry_after,
            a.seen.replayed ? 1 : 0,
            a.seen.number,
            a.seen.ordinal,
            a.seen.block,
            a.seen.issuance,
            a.seen.epoch
        );
}

int run(options const& told)
{
    auto const wanted = static_cast<rlim_t>(told.connections + 64);
    rlimit files{};
    ::getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = std::max(files.rlim_cur, std::min(wanted, files.rlim_max));
    ::setrlimit(RLIMIT_NOFILE, &files);

    asio::io_context io{1};
    crowd all{io, told};
    all.start();
    io.run();
    write_down(told.out, all.seen());
    std::cout << all.unsent() << '\n';
    return 0;
}

}  // namespace

}  // namespace gapless::load

int main(int argc, char** argv)
{
    gapless::load::options told;
    CLI::App app{"Sends issue requests and writes down what each saw; prints how many never left."};
    app.add_option("--port", told.port)->required();
    app.add_option("--token", told.token)->required();
    app.add_option("--series", told.series, "one or more, for the connections in turn")
        ->delimiter(',')
        ->required();
    app.add_option("--rate", told.rate, "arrivals per second; 0: as fast as they are answered");
    app.add_option("--connections", told.connections, "at most, at once");
    app.add_option("--seconds", told.seconds, "in which requests arrive");
    app.add_option("--retry-seconds", told.retry_seconds, "before the same key again, at rate 0");
    app.add_option("--seed", told.seed, "of the keys");
    app.add_option("--out", told.out, "file for what every attempt saw")->required();
    CLI11_PARSE(app, argc, argv);
    return gapless::load::run(told);
}
