#include "store/connection.hpp"

#include <algorithm>

namespace gapless {

std::string to_public_text(std::string text)
{
    // password=… in a key=value string, up to the next blank
    for (auto at = text.find("password"); at != std::string::npos;
         at = text.find("password", at + 8))
    {
        auto const equals = text.find_first_not_of(' ', at + 8);
        if (equals == std::string::npos || text[equals] != '=')
            continue;
        auto const first = std::min(text.find_first_not_of(' ', equals + 1), text.size());
        text.replace(first, std::min(text.find_first_of(" &", first), text.size()) - first, "***");
    }
    // scheme://user:secret@host
    for (auto at = text.find("://"); at != std::string::npos; at = text.find("://", at + 3))
    {
        auto const end = std::min(text.find_first_of("/ ", at + 3), text.size());
        auto const host = text.rfind('@', end);
        auto const colon = text.find(':', at + 3);
        if (host != std::string::npos && host > at && colon < host)
            text.replace(colon + 1, host - colon - 1, "***");
    }
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

namespace {

// libpqxx 6.4 calls the setting deprecated because 7 does what it asks for by itself.
void keep_from_reconnecting(pqxx::connection& connection)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    connection.inhibit_reactivation(true);
#pragma GCC diagnostic pop
}

}  // namespace

std::string session_settings(connection_purpose purpose)
{
    std::string settings = "set default_transaction_isolation = 'serializable';"
                           "set synchronous_commit = 'on';"
                           "set enable_seqscan = off;"
                           "set timezone = 'UTC';"
                           "set datestyle = 'ISO, YMD';"
                           "set client_encoding = 'UTF8';"
                           "set standard_conforming_strings = on;";
    switch (purpose)
    {
    case connection_purpose::service:
        settings += "set application_name = 'gaplessd';"
                    "set lock_timeout = '2s';"
                    "set idle_in_transaction_session_timeout = '5s';";
        break;
    case connection_purpose::operation:
        settings += "set application_name = 'gapless';"
                    "set lock_timeout = '30s';";
        break;
    }
    return settings;
}

std::unique_ptr<pqxx::connection> open_connection(
    std::string const& url, connection_purpose purpose
)
{
    try
    {
        auto connection = std::make_unique<pqxx::connection>(url);
        keep_from_reconnecting(*connection);
        pqxx::nontransaction plain{*connection};
        plain.exec0(session_settings(purpose));
        return connection;
    }
    catch (pqxx::broken_connection const& error)
    {
        throw database_unreachable{to_public_text(error.what())};
    }
    catch (pqxx::failure const& error)
    {
        throw database_unreachable{to_public_text(error.what())};
    }
}

}  // namespace gapless
