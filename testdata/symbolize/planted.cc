// The planted program in C++: templates, overloads, a local class, a lambda, an exception.
#include "record.h"

#include <stdexcept>

#ifdef WITH_DROPPED
#include "dropped.h"
DROPPED(planted);
#endif

namespace shop {

template <typename T> struct Basket {
    OUT_OF_LINE void add(T)
    {
        PLANT("shop::Basket<T>::add");
    }
};

OUT_OF_LINE static void pay(int)
{
    PLANT("shop::pay(int)");
}

OUT_OF_LINE static void pay(double)
{
    PLANT("shop::pay(double)");
}

static IN_LINE void wrap()
{
    PLANT("shop::wrap();shop::order()");
}

OUT_OF_LINE void order()
{
    struct Local {
        OUT_OF_LINE static void run()
        {
            PLANT("shop::order()::Local::run()");
        }
    };
    wrap();
    Local::run();
    PLANT("shop::order()");
}

OUT_OF_LINE void refuse(bool now)
{
    PLANT("shop::refuse(bool)");
    if (now) {
        throw std::runtime_error("refused");
    }
}

} // namespace shop

int main(int argc, char **argv)
{
    shop::Basket<int>().add(1);
    shop::Basket<double>().add(1.0);
    shop::pay(1);
    shop::pay(1.0);
    shop::order();
    try {
        shop::refuse(argc > 0);
    } catch (const std::exception &) {
        PLANT("main");
    }
    return write_record(argc, argv);
}
