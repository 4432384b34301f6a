#pragma once

#include <pqxx/version>

/// Forward declarations of libpqxx for our headers. Callers of their members include
/// postgres/query.hpp or libpqxx's own header. A connection is a class only from version 7 on.
namespace pqxx {

class failure;
class field;
class nontransaction;
class result;
class row;
class sql_error;
class transaction_base;

#if PQXX_VERSION_MAJOR >= 7
class connection;
#else
class connect_direct;
template <class Policy>
class basic_connection_base;
using connection = basic_connection_base<connect_direct>;
#endif

}  // namespace pqxx
