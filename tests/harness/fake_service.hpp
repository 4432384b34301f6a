#pragma once

#include "access/token_operations.hpp"
#include "access/token_service.hpp"
#include "app/status_service.hpp"
#include "blocks/block_cases.hpp"
#include "blocks/load_block_file.hpp"
#include "formats/find_series.hpp"
#include "http/access_service.hpp"
#include "http/series_lookup.hpp"
#include "http/service_set.hpp"
#include "http/url_check.hpp"
#include "invoices/reconcile_invoice.hpp"
#include "issuing/issuing_service.hpp"
#include "ledger/list_numbers.hpp"
#include "ledger/manifest_cases.hpp"
#include "notices/notice_list.hpp"
#include "notices/notice_service.hpp"
#include "numbers/number_cases.hpp"
#include "postgres/database_record.hpp"
#include "postgres/record_service.hpp"
#include "postgres/run_operation.hpp"
#include "proof/verify_store.hpp"

#include <boost/asio/io_context.hpp>

#include <any>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

namespace gapless::test {

/// The service in memory: issues from one endless block, knows what it is told to know, and
/// can refuse, fail or keep a request waiting.
class fake_service : public issuing_service,
                     public series_lookup,
                     public access_service,
                     public token_service,
                     public record_service,
                     public status_service,
                     public notice_service,
                     public url_check
{
public:
    explicit fake_service(boost::asio::io_context& io);

    // What it knows.
    std::map<std::string, std::shared_ptr<principal const>, std::less<>> tokens;
    std::map<std::string, series_entry, std::less<>> series;
    database_record database{.time_zone = "UTC", .today = "2026-11-20", .environment = {}};
    std::vector<std::int64_t> firsts;                   // serials of the series, in their order
    std::vector<numbers::number_record> known_numbers;  // that can be looked up
    std::vector<ledger_row> ledger;
    // Of the first numbers of every issuance, in order; none: they stand as issued.
    std::vector<std::pair<std::string, std::int32_t>> fates;
    std::string compared{"{\"column\":\"1\",\"findings\":[],\"summary\":{}}\n"};  // every invoice
    std::vector<notice_record> notices;                                           // by seq
    readiness ready;
    std::vector<std::string> reserved;  // series that a reserve serves
    service_figures known_figures;
    bool remembers{true};  // false: known_principal and known_series know nothing

    // How it behaves.
    std::optional<refusal> refuses;        // every request of a use case is refused so
    bool throws{};                         // every request of a use case fails
    std::optional<refusal> refuses_rate;   // every request of a token with a rate
    std::optional<refusal> refuses_quota;  // every issue request of a token with a quota
    std::optional<refusal> refuses_url;    // of every webhook
    bool keeps_waiting{};                  // issue requests are answered by answer_waiting() only

    // What it was asked.
    std::vector<issue_request> issued;
    std::vector<std::int64_t> quota_taken;  // counts
    std::vector<std::int64_t> quota_given_back;
    std::vector<block_draft> block_drafts;
    std::vector<std::optional<request_identity>> identities;
    std::vector<std::string> confirmed;  // warnings of the last block
    std::vector<ledger_page> pages;
    std::vector<cases::reconcile_invoice> invoices;
    std::vector<cases::load_block_file> block_files;
    std::vector<cases::list_numbers> number_lists;
    cases::numbers_text listed{"number\n10\n", std::nullopt};  // every list of numbers
    std::vector<std::int32_t> revoked;
    std::vector<std::int32_t> forgotten;
    std::vector<notice_page> notice_pages;
    std::vector<run_operation> operations;  // each answers as if its record had the id 9
    std::vector<std::string> checked_urls;

    /// Adds a token with these scopes, for all series or for the named ones.
    void add_token(
        std::string text,
        unsigned scopes,
        std::optional<std::vector<std::string>> names = std::nullopt,
        token_limits limits = {}
    );

    /// Adds a series with one open block, in a format of the catalogue that needs no
    /// parameters.
    void add_series(std::string name, std::string_view format = "plain");

    /// Adds a number of a series that can be looked up.
    void add_number(std::string name, std::int64_t serial, std::string_view state);

    /// Requests that wait for notices.
    notice_waiters waiters;
    std::optional<refusal> refuses_waiting;

    /// Has a notice behind the others, and tells those that wait.
    void publish(notice_record notice);

    /// Has those that wait look at their tokens.
    void ring_waiters();

    std::optional<database_time> acted_at(std::int32_t, idempotency_key const&) const override
    {
        return std::nullopt;
    }

    /// Answers the issue requests that were kept waiting.
    void answer_waiting();

    /// Hands over the listener of the oldest issue request that was kept waiting.
    std::unique_ptr<issue_listener> take_waiting();

    std::size_t waiting() const noexcept { return waiting_.size(); }

    operator service_set()
    {
        return service_set{
            static_cast<issuing_service&>(*this),
            static_cast<series_lookup&>(*this),
            static_cast<access_service&>(*this),
            static_cast<token_service&>(*this),
            static_cast<record_service&>(*this),
            static_cast<status_service&>(*this),
            static_cast<notice_service&>(*this),
            static_cast<pending_requests&>(*this),
            static_cast<url_check&>(*this)};
    }

    std::shared_ptr<principal const> known_principal(std::string_view token) override;
    boost::asio::awaitable<result<std::shared_ptr<principal const>>> identify(std::string token
    ) override;
    void forget_token(std::int32_t token_id) override { forgotten.push_back(token_id); }
    result<void> count_request(principal const& who) override;
    boost::asio::awaitable<result<quota_share>> take_quota(
        std::shared_ptr<principal const> who, issue_request request
    ) override;
    void give_back(quota_share const& share) override;
    series_entry const* known_series(std::string_view name) const override;
    std::int32_t id_of(series_entry const& one) const noexcept override { return one.series_id; }
    boost::asio::awaitable<result<series_entry const*>> find_series(std::string name) override;
    void issue(issue_request request, std::unique_ptr<issue_listener> listener) override;
    readiness known_readiness() const override;
    bool reserve_serves(std::string_view name) const override;
    service_figures figures() const override { return known_figures; }
    boost::asio::awaitable<result<void>> check(std::string url) override;
    result<void> add(notice_waiter& waiter) override;
    void end_waiting() override;

private:
    void note_act(std::int32_t, idempotency_key const&) override {}

    boost::asio::awaitable<result<any_answer>> run(job work) override;

    /// How a use case is answered.
    template <class Case>
    void answer(std::function<result<typename Case::answer>(Case const&)> how)
    {
        how_[typeid(Case)] = [how](std::any const& wanted) -> result<any_answer> {
            auto done = how(std::any_cast<Case const&>(wanted));
            if (done.has_error())
                return done.error();
            return any_answer::of(std::move(*done));
        };
    }

    void answer_reads();
    void answer_acts();
    void answer_access();
    void answer_operations();
    void answer_notices();
    cases::notice_list list_notices(notice_page const& page) const;
    result<void> behave() const;
    std::int64_t first_serial_of(std::int32_t series_id) const;
    result<issuance> take_numbers(issue_request const& request);
    void answer_soon(issue_request request, std::unique_ptr<issue_listener> listener);
    result<issuance_record> find_issuance(issuance_id const& id) const;
    issuance as_it_stands(issuance made) const;
    result<numbers::number_record> look_up(cases::look_up_number const& wanted) const;
    blocks::block load(block_draft const& draft, bool dry_run) const;
    rendered_answer keep(std::optional<request_identity> const& identity, kept_answer made);

    boost::asio::io_context& io_;
    std::map<std::type_index, std::function<result<any_answer>(std::any const&)>> how_;
    std::int64_t next_ordinal_{1};
    std::map<std::array<unsigned char, 16>, issuance> by_key_;
    std::map<idempotency_key, kept_answer> kept_;
    std::deque<std::pair<issue_request, std::unique_ptr<issue_listener>>> waiting_;
};

}  // namespace gapless::test
