#pragma once

#include "service/numbering.hpp"

#include <boost/asio/io_context.hpp>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gapless::test {

/// A numbering service in memory: issues from one endless block, knows what it is told to know, and
/// can refuse, fail or keep a request waiting.
class fake_numbering : public numbering
{
public:
    explicit fake_numbering(boost::asio::io_context& io);

    // What it knows.
    std::map<std::string, std::shared_ptr<principal const>, std::less<>> tokens;
    std::map<std::string, series_entry, std::less<>> series;
    std::vector<series_record> records;
    std::vector<block_record> blocks;
    std::vector<found_number> numbers;  // looked up by what their series' format writes
    std::vector<ledger_row> ledger;
    std::vector<number_declaration> formats;
    std::string hold_state{"held"};  // of every hold
    std::vector<hold_part> hold_parts;
    verification checked;
    readiness ready;
    service_figures known_figures;
    bool remembers{true};  // false: known_principal and known_series know nothing

    // How it behaves.
    std::optional<refusal> refuses;        // every request of a use case is refused so
    bool throws{};                         // every request of a use case fails
    std::optional<refusal> refuses_rate;   // every request of a token with a rate
    std::optional<refusal> refuses_quota;  // every issue request of a token with a quota
    bool keeps_waiting{};                  // issue requests are answered by answer_waiting() only

    // What it was asked.
    std::vector<issue_request> issued;
    int identified{};                       // calls of identify
    std::vector<std::int64_t> quota_taken;  // counts
    std::vector<std::int64_t> quota_given_back;
    std::vector<std::string> actors;
    std::vector<series_draft> series_drafts;
    std::vector<series_change> series_changes;
    std::vector<block_draft> block_drafts;
    std::vector<std::optional<request_identity>> identities;
    std::vector<bool> dry_runs;
    std::vector<event_draft> events;
    std::vector<std::pair<bool, std::vector<serial_range>>> settled;  // confirmed, which
    std::vector<ledger_page> pages;

    /// Adds a token with these scopes, for all series or for the named ones.
    void add_token(
        std::string text,
        unsigned scopes,
        std::optional<std::vector<std::string>> names = std::nullopt,
        token_limits limits = {}
    );

    /// Adds a series with a record and one open block, in a format of the catalogue that needs no
    /// parameters.
    void add_series(std::string name, std::string_view format = "plain");

    /// Adds a number of a series that can be looked up.
    void add_number(std::string_view name, number_record record);

    /// Answers the issue requests that were kept waiting.
    void answer_waiting();

    /// Hands over the listener of the oldest issue request that was kept waiting.
    std::unique_ptr<issue_listener> take_waiting();

    std::size_t waiting() const noexcept { return waiting_.size(); }

    // numbering
    std::shared_ptr<principal const> known_principal(std::string_view token) override;
    boost::asio::awaitable<result<std::shared_ptr<principal const>>> identify(std::string token
    ) override;
    result<void> count_request(principal const& who) override;
    boost::asio::awaitable<result<quota_share>> take_quota(
        std::shared_ptr<principal const> who, issue_request request
    ) override;
    void give_back(quota_share const& share) override;
    series_entry const* known_series(std::string_view name) const override;
    boost::asio::awaitable<result<series_entry const*>> find_series(std::string name) override;
    void issue(issue_request request, std::unique_ptr<issue_listener> listener) override;
    boost::asio::awaitable<result<issuance_record>> read_issuance(issuance_id id) override;
    boost::asio::awaitable<result<std::vector<series_record>>> list_series() override;
    boost::asio::awaitable<result<series_record>> read_series(std::string name) override;
    boost::asio::awaitable<result<rendered_answer>> create_series(
        series_draft draft,
        request_actor actor,
        std::optional<request_identity> identity,
        renderer<series_record> render
    ) override;
    boost::asio::awaitable<result<series_record>> change_series(
        std::string name, series_change change, request_actor actor
    ) override;
    boost::asio::awaitable<result<std::vector<block_record>>> list_blocks(std::string name
    ) override;
    boost::asio::awaitable<result<rendered_answer>> load_block(
        block_draft draft,
        request_actor actor,
        std::optional<request_identity> identity,
        bool dry_run,
        renderer<block_record> render
    ) override;
    boost::asio::awaitable<result<rendered_answer>> settle_hold(
        issuance_id id,
        std::vector<serial_range> ranges,
        bool confirm,
        request_actor actor,
        std::optional<request_identity> identity,
        renderer<issuance_record> render
    ) override;
    boost::asio::awaitable<result<rendered_answer>> note_event(
        std::int32_t series_id,
        event_draft event,
        request_actor actor,
        std::optional<request_identity> identity,
        renderer<std::int64_t> render
    ) override;
    boost::asio::awaitable<result<number_record>> read_number(
        series_entry const* where, std::string number
    ) override;
    boost::asio::awaitable<result<found_number>> search_number(
        std::shared_ptr<principal const> who, std::string number
    ) override;
    boost::asio::awaitable<result<std::vector<ledger_row>>> read_ledger(
        std::int32_t series_id, ledger_page page
    ) override;
    boost::asio::awaitable<result<std::vector<number_declaration>>> list_formats() override;
    boost::asio::awaitable<result<rendered_answer>> declare_format(
        number_declaration declaration,
        request_actor actor,
        std::optional<request_identity> identity,
        renderer<number_declaration> render
    ) override;
    boost::asio::awaitable<result<verification>> verify(std::string name) override;
    readiness known_readiness() const override;
    service_figures figures() const override { return known_figures; }

private:
    result<void> behave() const;
    std::int64_t first_serial_of(std::int32_t series_id) const;
    result<issuance> take_numbers(issue_request const& request);
    void answer_soon(issue_request request, std::unique_ptr<issue_listener> listener);
    result<found_number> look_up(std::string_view number) const;
    rendered_answer keep(std::optional<request_identity> const& identity, kept_answer made);

    boost::asio::io_context& io_;
    std::int64_t next_ordinal_{1};
    std::map<std::array<unsigned char, 16>, issuance> by_key_;
    std::map<std::string, kept_answer> kept_;
    std::deque<std::pair<issue_request, std::unique_ptr<issue_listener>>> waiting_;
};

}  // namespace gapless::test
