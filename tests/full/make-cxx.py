#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes and builds a C++ program with many templates and exceptions, for comparing and timing: each unit brings
containers, algorithms, strings and streams of types of its own; each can be linked several times. 4 units, 150
times each, give over 300 MB. usage: make-cxx.py OUT-FILE [UNITS [COPIES [FLAGS...]]]"""
import concurrent.futures
import os
import subprocess
import sys
import tempfile

UNIT = r"""
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace unit@N@ {

struct Key { int a; std::string b; bool operator<(const Key &o) const { return std::tie(a, b) < std::tie(o.a, o.b); } };
template <typename T> struct Node { T value; std::vector<std::shared_ptr<Node<T>>> below; };

template <typename T> std::size_t depth(const Node<T> &node)
{
    std::size_t deepest = 0;
    for (const auto &next : node.below) deepest = std::max(deepest, depth(*next));
    return deepest + 1;
}

static std::map<Key, std::vector<std::string>> table;
static std::unordered_map<std::string, std::variant<int, double, std::string>> values;

__attribute__((noinline)) int parse(const std::string &text)
{
    if (text.empty()) throw std::invalid_argument("empty @N@");
    std::istringstream in(text);
    int value = 0;
    in >> value;
    if (!in) throw std::runtime_error(text);
    return value;
}

int run(int x)
{
    struct Local { static int twice(int y) { return parse(std::to_string(y)) * 2; } };
    auto root = std::make_shared<Node<Key>>();
    for (int i = 0; i < x; i++) {
        root->below.push_back(std::make_shared<Node<Key>>(Node<Key>{{i, std::to_string(i)}, {}}));
        table[{i % 7, "k" + std::to_string(i % 5)}].push_back(std::to_string(Local::twice(i)));
        values["v" + std::to_string(i)] = i % 3 ? std::variant<int, double, std::string>(i) : std::string("text");
    }
    std::function<int(int)> add = [&](int y) { return y + static_cast<int>(depth(*root)) + @N@; };
    std::vector<int> order(x);
    std::generate(order.begin(), order.end(), [n = 0]() mutable { return n++ * 31 % 17; });
    std::sort(order.begin(), order.end(), [](int a, int b) { return a > b; });
    try {
        return add(parse("")) + order.size();
    } catch (const std::exception &error) {
        std::ostringstream out;
        out << error.what() << ' ' << table.size() << ' ' << values.size();
        return add(static_cast<int>(out.str().size()));
    }
}

} // namespace unit@N@
"""


def compile_unit(work, n, flags):
    """Compiles one unit to an object in which only its entry can be seen, so that it can be linked many times."""
    with open(f"{work}/unit{n}.cc", "w") as file:
        file.write(UNIT.replace("@N@", str(n)))
    subprocess.run(["g++", "-std=c++17", "-g", "-fno-gnu-unique", *flags, "-c", f"unit{n}.cc", "-o", f"unit{n}.o"], cwd=work, check=True,
                   env={**os.environ, "CCACHE_DISABLE": "1"})


def copy_unit(work, n, copy):
    entry = f"_ZN{len(f'unit{n}')}unit{n}3runEi"
    subprocess.run(["objcopy", "--remove-section=.group", f"--keep-global-symbol=run_{n}_{copy}",
                    f"--redefine-sym={entry}=run_{n}_{copy}", f"unit{n}.o", f"copy{n}_{copy}.o"], cwd=work, check=True)


def main():
    out = os.path.abspath(sys.argv[1])
    units = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    copies = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    flags = sys.argv[4:] or ["-O2"]
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda n: compile_unit(work, n, flags), range(units)))
        made = [(n, copy) for copy in range(copies) for n in range(units)]
        list(pool.map(lambda made: copy_unit(work, *made), made))
        with open(f"{work}/main.c", "w") as file:
            file.write("".join(f"int run_{n}_{copy}(int);\n" for n, copy in made))
            file.write("int main(int argc, char **argv) { int sum = argv == 0;\n")
            file.write("".join(f"sum += run_{n}_{copy}(argc + 3);\n" for n, copy in made) + "return sum == 1; }\n")
        subprocess.run(["gcc", "-c", "main.c"], cwd=work, check=True)
        objects = [f"copy{n}_{copy}.o" for n, copy in made]
        subprocess.run(["g++", *objects, "main.o", "-o", out], cwd=work, check=True)


if __name__ == "__main__":
    main()
