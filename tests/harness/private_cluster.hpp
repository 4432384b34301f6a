#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace gapless::test {

/// A PostgreSQL of the test's own, to be killed. Made and started by tools/cluster in a new folder,
/// with fsync on; removed at the end. What it starts with is not flushed: a killed server loses
/// nothing the kernel has.
class private_cluster
{
public:
    /// `settings` as "name=value".
    explicit private_cluster(std::vector<std::string> const& settings = {});
    ~private_cluster();
    private_cluster(private_cluster const&) = delete;
    private_cluster& operator=(private_cluster const&) = delete;

    /// How to connect as its superuser; stays the same over restarts.
    std::string url(std::string const& database = "postgres") const;

    /// Creates a database with the schema of this program.
    void create_database(std::string const& name) const;

    /// Its data directory.
    std::string data() const { return folder_ + "/data"; }

    /// The process id of the postmaster.
    pid_t postmaster() const;

    /// Starts it again, recovers, waits until it accepts connections.
    void start();

    /// Stops it as an operator would.
    void stop() const;

private:
    std::string folder_;
    std::string url_;
    std::vector<std::string> settings_;
};

}  // namespace gapless::test
