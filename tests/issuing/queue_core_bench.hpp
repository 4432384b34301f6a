#pragma once

#include "issuing/queue_core.hpp"

#include <doctest/doctest.h>

#include <charconv>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gapless::test {

/// A queue core without connections: the test plays their part, and the clock's. What comes out is
/// text. Requests are named "1a", "2b": their series and a letter, "+" for one piece, "*" for a
/// hold; a batch is shown as "quick:1a 1b 2a", with a mark behind it: ? keys looked up, ! the
/// series locked first, ~ without that courtesy.
class queue_core_bench
{
public:
    using time = queue_core::time;

    explicit queue_core_bench(queue_limits limits = {}, bool connected = true)
        : core_{limits, counters_, [] { return 1.0; }}
    {
        if (!connected)
            return;
        queue_actions nothing;
        core_.sweep(now_, nothing);  // tells it the time
        core_.connect(connection_kind::quick);
        core_.connect(connection_kind::patient);
    }

    queue_core& core() { return core_; }
    queue_counters const& counters() const { return counters_; }
    time now() const { return now_; }

    void pass(queue_clock::duration some) { now_ += some; }

    /// Requests by name. What was refused at once, as "1a:overloaded".
    std::string arrive(std::vector<std::string> const& names)
    {
        std::string refused;
        for (auto const& name : names)
        {
            auto entry = std::make_unique<queue_entry>();
            std::from_chars(name.data(), name.data() + name.size(), entry->request.series_id);
            entry->request.count = 1;
            entry->request.reference = name;
            entry->request.contiguous = name.back() == '+';
            if (name.back() == '*')
                entry->request.hold_seconds = 60;
            entry->listener = std::make_unique<silent>();
            names_[entry->listener.get()] = name;
            entry->arrived = now_;
            if (auto const why = core_.arrive(entry))
                add(refused, name + ':' + std::string{name_of(why->kind)});
        }
        return refused;
    }

    std::string pump()
    {
        queue_actions actions;
        core_.pump(now_, actions);
        return to_text(actions);
    }

    std::string leave(std::vector<std::string> const& names)
    {
        auto const refused = arrive(names);
        return refused + pump();
    }

    /// The oldest batch on a connection ends; what follows.
    std::string end(connection_kind connection, batch_fate fate, batch_end how = {})
    {
        auto& sent = sent_[connection];
        REQUIRE(!sent.empty());
        auto const batch = std::move(sent.front());
        sent.erase(sent.begin());
        how.id = batch.id;
        how.fate = fate;
        if (fate == batch_fate::done)
            for (auto const* request : batch.requests)
            {
                issuance issued;
                issued.series_id = request->series_id;
                issued.ranges.push_back({.count = 1, .ordinal = ++ordinal_});
                how.answers.emplace_back(issued);
            }
        queue_actions actions;
        core_.end_batch(std::move(how), now_, actions);
        return to_text(actions);
    }

    /// From now on the database answers as if it had issued nothing.
    void put_back() { ordinal_ = 0; }

    /// A connection is lost with all its batches.
    std::string lose(connection_kind connection)
    {
        core_.lose(connection, "lost");
        std::string all;
        while (!sent_[connection].empty())
            add(all, end(connection, batch_fate::unknown));
        return all;
    }

    /// A connection's probe is answered.
    void end_probe(connection_kind connection) { core_.end_probe(connection, now_); }

    bool answers() const { return core_.answers(now_, std::chrono::seconds{1}); }
    bool is_silent() const { return core_.is_silent(now_, std::chrono::seconds{1}); }

    /// Takes what may be drawn for.
    std::string take_waiting(std::int32_t series_id)
    {
        std::string taken;
        for (auto const& entry : core_.take_waiting(series_id))
            add(taken, *entry->request.reference);
        return taken;
    }

    std::string refuse_all(refusal_kind why)
    {
        queue_actions actions;
        core_.refuse_all({why, {}}, now_, actions);
        return to_text(actions);
    }

    std::string sweep()
    {
        queue_actions actions;
        core_.sweep(now_, actions);
        return to_text(actions);
    }

    std::string to_text(queue_actions& actions)
    {
        std::string all;
        for (auto& leaving : actions.sends)
        {
            std::string names;
            for (auto const* request : leaving.batch.requests)
                add(names, *request->reference);
            names += leaving.batch.look_up ? "?" : "";
            names += leaving.batch.manners == courtesy::lock ? "!" : "";
            names += leaving.batch.manners == courtesy::none ? "~" : "";
            CHECK(leaving.batch.manners != courtesy{});
            add(all,
                (leaving.connection == connection_kind::quick ? "quick:" : "patient:") + names);
            sent_[leaving.connection].push_back(std::move(leaving.batch));
        }
        for (auto const& answered : actions.answers)
            for (auto const& entry : answered.entries)
                if (entry->listener)
                    add(all, "=" + *entry->request.reference);
        for (auto const& refused : actions.refusals)
            add(all,
                names_.at(refused.listener.get()) + ':' + std::string{name_of(refused.why.kind)});
        for (auto const connection : actions.probes)
            add(all, connection == connection_kind::quick ? "probe-quick" : "probe-patient");
        for (auto const connection : actions.stuck)
            add(all, connection == connection_kind::quick ? "drop-quick" : "drop-patient");
        for (auto const series_id : actions.locked)
            add(all, "who-locks-" + std::to_string(series_id));
        for (auto const series_id : actions.free_again)
            add(all, "free-" + std::to_string(series_id));
        add(all, actions.accused.empty() ? "" : "accused");
        return all;
    }

private:
    struct silent : issue_listener
    {
        void ended(result<issuance>) override {}
    };

    static void add(std::string& all, std::string const& one)
    {
        if (!one.empty())
            all += (all.empty() ? "" : " ") + one;
    }

    std::int64_t ordinal_{};  // of the latest answer
    queue_counters counters_;
    queue_core core_;
    time now_{std::chrono::hours{1}};
    std::map<connection_kind, std::vector<batch_to_issue>> sent_;
    std::map<issue_listener const*, std::string> names_;
};

}  // namespace gapless::test
