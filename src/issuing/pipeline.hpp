#pragma once

#include "issuing/binary_parameters.hpp"
#include "postgres/outcome.hpp"

#include <libpq-fe.h>
#include <memory>
#include <string>

namespace gapless {

struct result_deleter
{
    void operator()(PGresult* result) const noexcept { PQclear(result); }
};
using result_pointer = std::unique_ptr<PGresult, result_deleter>;

/// What a result says went wrong.
database_error read_database_error(PGresult const* result);

/// What a connection does at the wire, message by message: libpq in pipeline mode. Nothing in here
/// waits. The connection outlives it.
class pipeline
{
public:
    explicit pipeline(PGconn* connection) : connection_{connection} {}
    virtual ~pipeline() = default;
    pipeline(pipeline const&) = delete;
    pipeline& operator=(pipeline const&) = delete;

    /// Queues a prepared statement. False: libpq failed.
    virtual bool send(std::string const& statement, binary_parameters& parameters);

    /// Queues the Sync that ends a transaction, and pushes what is queued. False: libpq failed.
    virtual bool sync();

    /// Queues a Sync that ends nothing: its result tells that the server answers. False: libpq
    /// failed.
    virtual bool probe();

    /// Pushes what is queued. False: something is left.
    virtual bool flush();

    /// Takes in what has arrived. False: the connection is broken; what came before still counts.
    bool receive();

    /// The next result of what was taken in: that of a statement or of a Sync. Null: no more.
    virtual result_pointer next_result();

    /// What libpq says of the latest failure; never a password.
    std::string trouble() const;

protected:
    PGconn* connection_;
};

/// The pipeline of a connection. In a build with failpoints it fails on demand.
std::unique_ptr<pipeline> open_pipeline(PGconn* connection);

}  // namespace gapless
