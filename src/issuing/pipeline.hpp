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

/// The error that a result reports.
database_error read_database_error(PGresult const* result);

/// The wire side of a connection, message by message: libpq in pipeline mode. Nothing in here
/// blocks. The connection must outlive it.
class pipeline
{
public:
    explicit pipeline(PGconn* connection) : connection_{connection} {}
    virtual ~pipeline() = default;
    pipeline(pipeline const&) = delete;
    pipeline& operator=(pipeline const&) = delete;

    /// Queues a prepared statement. Returns false if libpq failed.
    virtual bool send(std::string const& statement, binary_parameters& parameters);

    /// Queues the Sync that ends a transaction, and flushes. Returns false if libpq failed.
    virtual bool sync();

    /// Queues a Sync that ends nothing: its result shows that the server answers. Returns false if
    /// libpq failed.
    virtual bool probe();

    /// Flushes what is queued. Returns false if something is left.
    virtual bool flush();

    /// Reads what has arrived. False: the connection is broken; earlier results still count.
    bool receive();

    /// The next result that was received: of a statement or of a Sync. Null: no more.
    virtual result_pointer next_result();

    /// libpq's message for the latest failure; never contains a password.
    std::string trouble() const;

protected:
    PGconn* connection_;
};

/// Wraps a connection in a pipeline. In a build with failpoints it fails on demand.
std::unique_ptr<pipeline> open_pipeline(PGconn* connection);

}  // namespace gapless
