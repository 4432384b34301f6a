/// Read by AddressSanitizer when gapless starts: whether a command that ends has freed everything
/// costs as much as the command, and tests run thousands. gaplessd and the test programs are asked.
extern "C" char const* __asan_default_options()
{
    return "detect_leaks=0";
}
