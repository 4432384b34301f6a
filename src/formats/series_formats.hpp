#pragma once

#include "formats/format_store.hpp"

#include <map>
#include <string>

namespace gapless {

/// The formats of series, for answers about several of them. Each is looked up once; the
/// transaction must outlive it.
class series_formats
{
public:
    explicit series_formats(pqxx::transaction_base& database) : database_{database} {}

    /// The format of a series that exists. Blocks for a round trip the first time.
    bound_format const& operator[](std::string const& series)
    {
        auto known = known_.find(series);
        if (known == known_.end())
        {
            auto found = read_series_settings(database_, series);
            known = known_.emplace(series, std::move(found.at(0).format)).first;
        }
        return known->second;
    }

private:
    pqxx::transaction_base& database_;
    std::map<std::string, bound_format, std::less<>> known_;
};

}  // namespace gapless
