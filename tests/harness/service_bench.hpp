#pragma once

#include "harness/database.hpp"
#include "harness/recording_client.hpp"
#include "harness/service_process.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gapless::test {

/// What a token is to allow; empty: everything, everywhere, for ever.
struct token_wish
{
    std::vector<std::string> scopes{"issue", "read", "load", "admin"};
    std::optional<std::vector<std::string>> series{};
    std::optional<std::chrono::milliseconds> lives{};  // from now on
    std::optional<std::int64_t> rate{};                // requests a second
};

/// Instances of the service on one database, and what happened to them. Connects anew for each look
/// into the database, because the server may have been killed meanwhile.
class service_bench
{
public:
    /// `url` is a superuser's, of a migrated database; the instances connect with `service_url`
    /// (empty: the same).
    explicit service_bench(std::string url, std::string service_url = {})
        : url_{std::move(url)},
          service_url_{service_url.empty() ? url_ : std::move(service_url)}
    {
    }

    /// Starts so many instances and waits until they are ready.
    void start_instances(std::size_t count, std::vector<std::string> const& options = {});

    service_process& instance(std::size_t n) { return *instances_.at(n); }

    void create_series(std::string const& name, std::vector<block_ends> const& blocks);
    credential create_token(std::string const& client, token_wish const& wish = {}) const;

    /// A client of all instances.
    recording_client client(credential const& who) { return {seen_, *addresses_, who}; }

    /// Statements as the superuser, as database::run.
    std::string run(std::string const& sql) const;

    history& seen() noexcept { return seen_; }

    /// What the database says about itself and the checker about the history: "gapless, clean".
    /// Anything else comes with the name of a file that holds the history.
    std::string verdict() const;

    std::string const& url() const noexcept { return url_; }

private:
    std::string url_;
    std::string service_url_;
    std::vector<std::unique_ptr<service_process>> instances_;
    std::unique_ptr<instance_list> addresses_;
    history seen_;
};

/// A database of the shared server with the schema, and a role that may what gaplessd needs and
/// nothing else.
class served_database : public database
{
public:
    served_database();
    ~served_database();

    std::string service_url() const { return url_as(login(), "test"); }

private:
    std::string login() const { return "service_" + name(); }
};

/// Such a database and a bench on it; the instances have the role.
class database_bench : public served_database, public service_bench
{
public:
    database_bench() : service_bench{database::url(), service_url()} {}

    using database::run;
    using service_bench::create_series;
    using service_bench::url;
};

}  // namespace gapless::test
