#pragma once

#include "harness/history.hpp"
#include "harness/http_client.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gapless::test {

/// Where the instances of a service can be reached.
class instance_list
{
public:
    explicit instance_list(std::vector<std::string> addresses) : addresses_{std::move(addresses)} {}

    std::string address(std::size_t n) const { return addresses_[n]; }

private:
    std::vector<std::string> addresses_;
};

/// A token and whose it is.
struct credential
{
    std::string client;
    std::string token;
};

/// What a client wants to have issued.
struct issue_wish
{
    std::string series;
    std::string key;
    int count{1};
    bool contiguous{};
};

/// A client of the service for one thread. Every attempt is written into the history.
class recording_client
{
public:
    recording_client(history& seen, instance_list const& instances, credential who)
        : seen_{seen},
          instances_{instances},
          who_{std::move(who)}
    {
    }

    /// One attempt, at that instance.
    attempt issue_once(
        issue_wish const& wanted, std::size_t instance, operation what = operation::issue
    );

    /// How many numbers of a series were issued, as an attempt that reads.
    attempt read_issued(std::string const& series, std::size_t instance);

    /// POST …/numbers with this key and body, as any client sends it.
    http_request to_request(issue_wish const& wanted) const;

private:
    http_client& connection_to(std::size_t instance);
    http_outcome exchange(std::size_t instance, http_request const& request, attempt& tried);

    history& seen_;
    instance_list const& instances_;
    credential who_;
    std::map<std::string, std::unique_ptr<http_client>> connections_;  // by address
    std::map<std::string, int> turns_;                                 // by key
};

/// Takes what a service answered to an issue request into the attempt, and notes what is wrong with
/// it on its face.
void read_answer(http_answer const& answer, attempt& tried);

}  // namespace gapless::test
