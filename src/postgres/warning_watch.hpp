#pragma once

#include "postgres/query.hpp"

#include <string>

namespace gapless {

/// Watches a connection for the server's warnings while it lives.
///
/// A cancelled wait for the synchronous standby ends in a WARNING and then success, and libpqxx
/// passes notices to nobody: without this, commit() would return normally for a transaction that
/// the standby may not have.
class warning_watch
{
public:
    explicit warning_watch(pqxx::connection& connection);
    warning_watch(warning_watch const&) = delete;
    warning_watch& operator=(warning_watch const&) = delete;

    bool warned() const noexcept { return !text_.empty(); }
    std::string const& text() const noexcept { return text_; }

private:
    std::string text_;
    notice_listener listener_;
};

}  // namespace gapless
