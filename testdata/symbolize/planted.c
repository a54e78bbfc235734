// The planted program in C: plain functions, inlined chains, a function split by the compiler.
#include "record.h"

#ifdef WITH_DROPPED
#include "dropped.h"
DROPPED(planted);
#endif

static IN_LINE void inner(void)
{
    PLANT("inner;middle;outer");
}

static IN_LINE void middle(void)
{
    inner();
    PLANT("middle;outer");
}

OUT_OF_LINE void outer(void)
{
    middle();
    PLANT("outer");
}

OUT_OF_LINE static int sum_odd(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (__builtin_expect(i % 97 == 96, 0)) {
            PLANT("sum_odd");
        }
        sum += i * 2 + 1;
    }
    PLANT("sum_odd");
    return sum;
}

OUT_OF_LINE void other_part(void);

int main(int argc, char **argv)
{
    outer();
    other_part();
    PLANT("main");
    return sum_odd(argc + 200) == 0 || write_record(argc, argv);
}
