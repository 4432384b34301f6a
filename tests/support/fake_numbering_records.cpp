#include "support/fake_numbering.hpp"

#include <boost/asio/post.hpp>

#include <stdexcept>

namespace gapless::test {

namespace asio = boost::asio;

namespace {

refusal no_series()
{
    return {refusal_kind::unknown_series, "there is no such series"};
}

}  // namespace

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
    request_actor actor,
    std::optional<request_identity> identity,
    renderer<series_record> render
)
{
    co_await asio::post(io_, asio::use_awaitable);
    series_drafts.push_back(draft);
    actors.push_back(actor.name);
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
    record.params = draft.params;
    record.reuse_after = draft.reuse_after;
    record.version = 1;
    record.remaining = "0";
    auto made = render(record);
    co_return keep(identity, std::move(made));
}

asio::awaitable<result<series_record>> fake_numbering::change_series(
    std::string name, series_change change, request_actor actor
)
{
    co_await asio::post(io_, asio::use_awaitable);
    series_changes.push_back(change);
    actors.push_back(actor.name);
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
        record.reuse_after = change.reuse_after.value_or(record.reuse_after);
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
    request_actor actor,
    std::optional<request_identity> identity,
    bool dry_run,
    renderer<block_record> render
)
{
    co_await asio::post(io_, asio::use_awaitable);
    block_drafts.push_back(draft);
    actors.push_back(actor.name);
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

readiness fake_numbering::known_readiness() const
{
    if (throws)
        throw std::runtime_error{"the fake was told to fail with secret details"};
    return ready;
}

}  // namespace gapless::test
