#include "reserve/lease_records.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace gapless {

namespace {

/// Takes the notes of a file one by one.
class note_reader
{
public:
    explicit note_reader(lease_journal_content& content) : content_{content} {}

    /// Returns false for a record that may not come here.
    bool take(any_lease_note&& note)
    {
        auto const take_one = [this]<class Note>(Note&& one) {
            return on(std::forward<Note>(one));
        };
        return std::visit(take_one, std::move(note));
    }

    /// Numbers of the open leases that no answer has.
    std::uint64_t rest() const
    {
        std::int64_t all = 0;
        for (auto const& each : content_.leases)
            if (auto const drawn = drawn_.find(each.lease); !each.closed)
                all += std::max<std::int64_t>(
                    0, each.wanted - (drawn == drawn_.end() ? 0 : drawn->second)
                );
        return static_cast<std::uint64_t>(all);
    }

    void leave_out_settled()
    {
        auto& answers = content_.unsettled;
        auto const rest =
            std::ranges::upper_bound(answers, settled_, {}, &unsettled_answer::sequence);
        answers.erase(answers.begin(), rest);
    }

private:
    bool on(lease_note::claiming&& note)
    {
        content_.claim = note.claim;
        if (note.secret)
            content_.secret = note.secret;
        return true;
    }

    bool on(lease_note::claimed&& note)
    {
        content_.incarnation = note.incarnation;
        content_.claim.reset();
        return true;
    }

    bool on(lease_note::intent&& note)
    {
        auto& one = lease_of(note.lease);
        one.series_id = note.series_id;
        content_.series_of[note.lease] = note.series_id;
        one.wanted = note.count;
        return true;
    }

    bool on(lease_note::granted&& note)
    {
        auto& one = lease_of(note.grant.lease);
        one.series_id = note.grant.series_id;
        content_.series_of[note.grant.lease] = note.grant.series_id;
        if (one.wanted == 0)
            one.wanted = note.grant.count;
        one.grant = note.grant;
        return true;
    }

    bool on(sequenced_left&& record)
    {
        if (record.sequence < content_.next_sequence)
            return false;
        content_.next_sequence = record.sequence + 1;
        drawn_[record.note.lease] += record.note.left.count;
        content_.unsettled.push_back(
            {record.sequence, record.note.lease, std::move(record.note.left)}
        );
        return true;
    }

    bool on(lease_note::settled&& note)
    {
        settled_ = std::max(settled_, std::min(note.sequence, content_.next_sequence - 1));
        return true;
    }

    bool on(lease_note::closed&& note)
    {
        lease_of(note.lease).closed = true;
        return true;
    }

    bool on(lease_note::returned&& note)
    {
        std::erase_if(content_.leases, [&](journaled_lease const& one) {
            return one.lease == note.lease;
        });
        return true;
    }

    bool on(lease_note::heard&& note)
    {
        auto& all = content_.heard;
        auto const known = std::ranges::find(all, note.instance, &lease_note::heard::instance);
        if (known == all.end())
            all.push_back(note);
        else
            known->moment = std::max(known->moment, note.moment);
        return true;
    }

    journaled_lease& lease_of(lease_id const& id)
    {
        auto const found = std::ranges::find(content_.leases, id, &journaled_lease::lease);
        if (found != content_.leases.end())
            return *found;
        content_.leases.push_back({.lease = id});
        return content_.leases.back();
    }

    lease_journal_content& content_;
    std::uint64_t settled_{};
    std::map<lease_id, std::int64_t> drawn_;  // numbers with an answer
};

/// Whether it says that something is over and need not be done again. Behind a bad record it is not
/// believed: its bytes may be part of a key or a reference that a client chose, and settling twice
/// does no harm.
bool is_end(any_lease_note const& note)
{
    return std::holds_alternative<lease_note::settled>(note) ||
           std::holds_alternative<lease_note::claimed>(note) ||
           std::holds_alternative<lease_note::closed>(note) ||
           std::holds_alternative<lease_note::returned>(note);
}

}  // namespace

/// A bad record ends the file, unless valid ones follow: those are read as well, since issued
/// numbers have to be settled. Every position is tried, because the bad one's length is unknown.
std::optional<read_lease_file> read_lease_bytes(std::string_view bytes, lease_answers wanted)
{
    auto header = read_lease_header(bytes);
    if (!header && wanted != lease_answers::salvaged)
        return std::nullopt;
    read_lease_file file{
        .header = header.value_or(lease_journal_header{}),
        .content = {},
        .end = header ? lease_journal_header::bytes : 0};
    file.content.database = file.header.database;
    file.content.instance = file.header.instance;
    note_reader notes{file.content};
    std::map<lease_id, std::uint64_t> room_of;
    for (auto place = file.end; place < bytes.size();)
    {
        auto record = read_lease_record(bytes.substr(place));
        if (!record)
        {
            ++place;
            continue;
        }
        auto const is_behind = place != file.end;
        auto const* const intent = std::get_if<lease_note::intent>(&record->note);
        auto const begun = intent ? std::optional{intent->lease} : std::nullopt;
        auto const believed = !is_end(record->note) || (!is_behind && file.content.damage.empty());
        auto const fits = !believed || notes.take(std::move(record->note));
        if (begun)
            room_of[*begun] = place + notes.rest() * lease_room_bytes;
        if (auto& damage = file.content.damage; damage.empty() && is_behind)
            damage = "the record at byte " + std::to_string(file.end) +
                     " is bad, and a valid one stands behind it at byte " + std::to_string(place);
        else if (damage.empty() && !fits)
            damage = "the record at byte " + std::to_string(place) +
                     " has a sequence that stands before it already";
        place += record->bytes;
        file.end = place;
    }
    if (!header && file.end == 0)
        return std::nullopt;  // nor any record
    file.rest = notes.rest();
    for (auto const& each : file.content.leases)
        if (!each.closed)
            file.room = std::max(file.room, room_of[each.lease]);
    if (!header)
        file.content.damage = "its header is damaged";
    if (wanted == lease_answers::unsettled)
        notes.leave_out_settled();
    return file;
}

}  // namespace gapless
