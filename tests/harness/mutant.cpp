#include "harness/mutant.hpp"

#include "postgres/query.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace gapless::test {

namespace {

std::string read_mutant()
{
    auto const* name = std::getenv("GAPLESS_TEST_MUTANT");
    if (!name)
        return {};
    std::ifstream file{name, std::ios::binary};
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (text.empty())
        throw std::runtime_error{"GAPLESS_TEST_MUTANT: cannot read " + std::string{name}};
    return text;
}

}  // namespace

std::string const& mutant_sql()
{
    static std::string const text = read_mutant();
    return text;
}

void apply_mutant(pqxx::connection& connection)
{
    if (mutant_sql().empty())
        return;
    pqxx::work transaction{connection};
    gapless::execute(transaction, mutant_sql());
    transaction.commit();
}

}  // namespace gapless::test
