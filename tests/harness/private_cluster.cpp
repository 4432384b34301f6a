#include "harness/private_cluster.hpp"

#include "base/contract.hpp"
#include "harness/database.hpp"
#include "harness/mutant.hpp"
#include "harness/process.hpp"
#include "postgres/query.hpp"
#include "postgres/schema.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

namespace gapless::test {

namespace {

/// What tools/cluster prints. Throws std::runtime_error with its complaint when it fails.
std::string run_cluster(std::vector<std::string> words)
{
    words.insert(words.begin(), std::string{GAPLESS_SOURCE_DIR} + "/tools/cluster");
    auto end = run_program({.words = words});
    if (end.code != 0)
        throw std::runtime_error{"tools/cluster " + words[1] + ": " + end.err};
    while (end.out.ends_with('\n'))
        end.out.pop_back();
    return end.out;
}

/// A new folder that the server's user may enter.
std::string make_folder()
{
    auto folder = (std::filesystem::temp_directory_path() / "gapless-test-cluster-XXXXXX").string();
    ensure(::mkdtemp(folder.data()) != nullptr, "the test may make folders");
    ::chmod(folder.c_str(), 0755);
    return folder;
}

}  // namespace

private_cluster::private_cluster(std::vector<std::string> const& settings)
    : folder_{make_folder()},
      settings_{settings}
{
    start();
}

private_cluster::~private_cluster()
{
    try
    {
        run_cluster({"stop", folder_, "--remove"});
    }
    catch (std::exception const&)
    {
        // The test's own outcome is what counts; the folder is a temporary one.
    }
}

void private_cluster::start()
{
    std::vector<std::string> words{"start", folder_, "--copied"};
    for (auto const& setting : settings_)
    {
        words.emplace_back("--setting");
        words.push_back(setting);
    }
    url_ = run_cluster(words);
}

void private_cluster::stop() const
{
    run_cluster({"stop", folder_});
}

std::string private_cluster::url(std::string const& database) const
{
    return connection_string(url_, {{"dbname", database}});
}

void private_cluster::create_database(std::string const& name) const
{
    pqxx::connection server{url()};
    {
        pqxx::nontransaction plain{server};
        gapless::execute(plain, "create database " + plain.quote_name(name));
    }
    pqxx::connection connection{url(name)};
    migrate(connection);
    apply_mutant(connection);
}

pid_t private_cluster::postmaster() const
{
    std::ifstream file{data() + "/postmaster.pid"};
    pid_t id = 0;
    file >> id;
    ensure(id > 1, "a running server says its process id");
    return id;
}

}  // namespace gapless::test
