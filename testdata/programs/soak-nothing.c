// SPDX-License-Identifier: MIT
// Nothing grows: only the churn.
#include "soak.h"

int main(int argc, char **argv)
{
    struct soak *soak = soak_begin(argc, argv);
    while (soak_step(soak)) {
    }
    return 0;
}
