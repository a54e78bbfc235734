// SPDX-License-Identifier: MIT
// Holds memory from functions whose names have parentheses, angles and operators in them, some of
// them inlined, and writes two dumps: before and after. tests/full/pprof.py reads them.
//
//   odd-names DIR     (jemalloc's prof settings come from MALLOC_CONF)
#include <jemalloc/jemalloc.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace
{

std::vector<char *> kept;

struct Holder {
    __attribute__((noinline)) void operator()(size_t bytes) const
    {
        kept.push_back(new char[bytes]);
    }
};

template <typename T>
__attribute__((always_inline)) inline void hold_many(const T &holder, int count)
{
    for (int i = 0; i < count; i++) {
        holder(1000);
    }
}

// Each keeps work behind its call, so that it is no tail call and stays on the stack.
__attribute__((noinline)) size_t in_a_lambda(int count)
{
    const auto grow = [count](size_t bytes) __attribute__((noinline))
    {
        for (int i = 0; i < count; i++) {
            kept.push_back(static_cast<char *>(malloc(bytes)));
        }
    };
    grow(3000);
    return kept.size();
}

} // namespace

__attribute__((noinline)) size_t by_template(int count)
{
    hold_many(Holder(), count);
    return kept.size();
}

static int dump(const std::string &directory, int sequence)
{
    const std::string number = std::to_string(sequence);
    const std::string path =
        directory + "/odd." + std::to_string(getpid()) + "." + number + ".m" + number + ".heap";
    const char *name = path.c_str();
    return mallctl("prof.dump", nullptr, nullptr, &name, sizeof name);
}

int main(int argc, char **argv)
{
    if (argc != 2 || by_template(500) == 0 || dump(argv[1], 0) != 0) {
        return 1;
    }
    return by_template(2000) == 0 || in_a_lambda(1000) == 0 || dump(argv[1], 1) != 0;
}
