// A second unit, so that link-time optimization has something to do.
#include "record.h"

static IN_LINE void other_inner(int twice)
{
    PLANT("other_inner;other_part");
    if (twice) {
        PLANT("other_inner;other_part");
    }
}

#ifdef WITH_DROPPED
#include "dropped.h"
DROPPED(other);
#endif

OUT_OF_LINE APART void other_part(void)
{
    other_inner(1);
    PLANT("other_part");
}
