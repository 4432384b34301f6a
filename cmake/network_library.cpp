// The compiled halves of Asio, Beast and URL; BOOST_ASIO_SEPARATE_COMPILATION asks for them.
#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
#include <boost/url/src.hpp>
