// The compiled halves of Asio and Beast; BOOST_ASIO_SEPARATE_COMPILATION asks for them.
#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
