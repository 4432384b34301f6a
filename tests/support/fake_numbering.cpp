#include "support/fake_numbering.hpp"

#include <boost/asio/post.hpp>

#include <stdexcept>

namespace gapless::test {

namespace asio = boost::asio;

namespace {

constexpr std::int64_t first_serial = 4'901'214'213'405'250'000;

refusal no_series()
{
    return {refusal_kind::unknown_series, "there is no such series"};
}

}  // namespace

fake_numbering::fake_numbering(asio::io_context& io) : io_{io}
{
    ready = {
        .database = true, .schema = true, .primary = true, .lane = true, .epoch = 1, .detail = {}};
}

void fake_numbering::add_token(
    std::string text, unsigned scopes, std::optional<std::vector<std::string>> names
)
{
    auto const id = static_cast<std::int32_t>(tokens.size() + 1);
    principal const who{
        .token_id = id, .owner_id = id, .name = text, .scopes = scopes, .series = std::move(names)};
    tokens[text] = std::make_shared<principal const>(who);
}

void fake_numbering::add_series(std::string name)
{
    auto const id = static_cast<std::int32_t>(series.size() + 1);
    series[name] = {.series_id = id, .name = name};
    series_record record;
    record.series_id = id;
    record.name = name;
    record.carrier = "dhl";
    record.space = "dhl";
    record.format = "plain";
    record.on_release = "reissue";
    record.on_expiry = "void";
    record.version = 7;
    record.issued = 3;
    record.remaining = "249998";
    record.next = first_serial + 3;
    record.blocks = 1;
    records.push_back(record);
    block_record block;
    block.block_id = id;
    block.series = name;
    block.first = first_serial;
    block.last = first_serial + 250'000;
    block.count = 250'001;
    block.issued = 3;
    block.remaining = 249'998;
    block.next = first_serial + 3;
    block.state = "open";
    block.position = 1;
    blocks.push_back(block);
}

result<void> fake_numbering::behave() const
{
    if (throws)
        throw std::runtime_error{"the fake was told to fail with secret details"};
    if (refuses)
        return *refuses;
    return {};
}

std::shared_ptr<principal const> fake_numbering::known_principal(std::string_view token)
{
    auto const found = tokens.find(token);
    return remembers && found != tokens.end() ? found->second : nullptr;
}

asio::awaitable<result<std::shared_ptr<principal const>>> fake_numbering::identify(std::string token
)
{
    co_await asio::post(io_, asio::use_awaitable);
    auto const found = tokens.find(token);
    if (found == tokens.end())
        co_return refusal{refusal_kind::unauthenticated, "not a token"};
    co_return found->second;
}

series_entry const* fake_numbering::known_series(std::string_view name) const
{
    auto const found = series.find(name);
    return remembers && found != series.end() ? &found->second : nullptr;
}

asio::awaitable<result<series_entry const*>> fake_numbering::find_series(std::string name)
{
    co_await asio::post(io_, asio::use_awaitable);
    auto const found = series.find(name);
    if (found == series.end())
        co_return no_series();
    co_return &found->second;
}

result<issuance> fake_numbering::take_numbers(issue_request const& request)
{
    if (auto const behaved = behave(); behaved.has_error())
        return behaved.error();
    if (auto const found = by_key_.find(request.key.bytes); found != by_key_.end())
    {
        auto again = found->second;
        again.replayed = true;
        return again;
    }
    using namespace std::chrono;
    issuance made{
        .series_id = request.series_id,
        .epoch = 1,
        .issued_at = sys_days{2026y / 11 / 20} + 22h + 5min + 11s + 123'456us,
        .ranges = {},
        .reference = request.reference};
    made.ranges.push_back(
        {.block_id = 1,
         .count = request.count,
         .serial = first_serial + next_ordinal_ - 1,
         .ordinal = next_ordinal_}
    );
    next_ordinal_ += request.count;
    by_key_[request.key.bytes] = made;
    return made;
}

void fake_numbering::answer_soon(issue_request request, std::unique_ptr<issue_listener> listener)
{
    asio::post(io_, [this, asked = std::move(request), told = std::move(listener)] {
        told->ended(take_numbers(asked));
    });
}

void fake_numbering::issue(issue_request request, std::unique_ptr<issue_listener> listener)
{
    issued.push_back(request);
    if (throws)
        throw std::runtime_error{"the fake was told to fail with secret details"};
    if (keeps_waiting)
        waiting_.emplace_back(std::move(request), std::move(listener));
    else
        answer_soon(std::move(request), std::move(listener));
}

void fake_numbering::answer_waiting()
{
    for (auto& [request, listener] : std::exchange(waiting_, {}))
        answer_soon(std::move(request), std::move(listener));
}

std::unique_ptr<issue_listener> fake_numbering::take_waiting()
{
    auto listener = std::move(waiting_.front().second);
    waiting_.pop_front();
    return listener;
}

asio::awaitable<result<issuance_record>> fake_numbering::read_issuance(issuance_id id)
{
    co_await asio::post(io_, asio::use_awaitable);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    for (auto const& [key, made] : by_key_)
        if (made.series_id == id.series_id && made.ranges.front().ordinal == id.ordinal)
            for (auto const& [name, entry] : series)
                if (entry.series_id == id.series_id)
                    co_return issuance_record{.series = name, .value = made};
    co_return refusal{refusal_kind::unknown_issuance, "there is no such issuance"};
}

asio::awaitable<result<std::vector<series_record>>> fake_numbering::list_series()
{
    co_await asio::post(io_, asio::use_awaitable);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    co_return records;
}

asio::awaitable<result<series_record>> fake_numbering::read_series(std::string name)
{
    co_await asio::post(io_, asio::use_awaitable);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    for (auto const& record : records)
        if (record.name == name)
            co_return record;
    co_return no_series();
}

rendered_answer fake_numbering::keep(
    std::optional<request_identity> const& identity, kept_answer made
)
{
    if (!identity)
        return {.answer = std::move(made), .replayed = false};
    auto const [place, is_new] = kept_.try_emplace(identity->key, made);
    return {.answer = place->second, .replayed = !is_new};
}

asio::awaitable<result<rendered_answer>> fake_numbering::create_series(
    series_draft draft,
    std::string actor,
    std::optional<request_identity> identity,
    renderer<series_record> render
)
{
    co_await asio::post(io_, asio::use_awaitable);
    series_drafts.push_back(draft);
    actors.push_back(actor);
    identities.push_back(identity);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    series_record record;
    record.series_id = 99;
    record.name = draft.name;
    record.carrier = draft.carrier;
    record.space = draft.space.value_or(draft.carrier);
    record.format = draft.format.value_or("plain");
    record.on_release = draft.on_release.value_or("reissue");
    record.on_expiry = draft.on_expiry.value_or("void");
    record.low_water = draft.low_water;
    record.version = 1;
    record.remaining = "0";
    auto made = render(record);
    co_return keep(identity, std::move(made));
}

asio::awaitable<result<series_record>> fake_numbering::change_series(
    std::string name, series_change change, std::string actor
)
{
    co_await asio::post(io_, asio::use_awaitable);
    series_changes.push_back(change);
    actors.push_back(actor);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    for (auto& record : records)
    {
        if (record.name != name)
            continue;
        if (change.if_version && *change.if_version != record.version)
            co_return refusal{refusal_kind::precondition_failed, "it is at another version"};
        record.paused = change.paused.value_or(record.paused);
        record.low_water = change.low_water.value_or(record.low_water);
        ++record.version;
        co_return record;
    }
    co_return no_series();
}

asio::awaitable<result<std::vector<block_record>>> fake_numbering::list_blocks(std::string name)
{
    co_await asio::post(io_, asio::use_awaitable);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    std::vector<block_record> found;
    for (auto const& block : blocks)
        if (block.series == name)
            found.push_back(block);
    co_return found;
}

asio::awaitable<result<rendered_answer>> fake_numbering::load_block(
    block_draft draft,
    std::string actor,
    std::optional<request_identity> identity,
    bool dry_run,
    renderer<block_record> render
)
{
    co_await asio::post(io_, asio::use_awaitable);
    block_drafts.push_back(draft);
    actors.push_back(actor);
    identities.push_back(identity);
    dry_runs.push_back(dry_run);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    block_record block;
    block.block_id = dry_run ? 0 : 12;
    block.series = draft.series;
    block.first = draft.first;
    block.last = draft.last;
    block.count = draft.last - draft.first + 1;
    block.remaining = block.count;
    block.next = draft.first;
    block.state = "queued";
    block.reference = draft.reference;
    block.valid_until = draft.valid_until;
    block.position = 2;
    auto made = render(block);
    co_return keep(identity, std::move(made));
}

asio::awaitable<result<verification>> fake_numbering::verify(std::string)
{
    co_await asio::post(io_, asio::use_awaitable);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    co_return checked;
}

asio::awaitable<readiness> fake_numbering::check_readiness()
{
    co_await asio::post(io_, asio::use_awaitable);
    if (throws)
        throw std::runtime_error{"the fake was told to fail with secret details"};
    co_return ready;
}

}  // namespace gapless::test
