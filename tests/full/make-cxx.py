#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes and builds a C++ program with many templates and exceptions, for comparing and timing: each unit brings
containers, algorithms, strings and streams of types of its own. Some 60 units give 50 MB of debug sections, 400
give over 300 MB. usage: make-cxx.py OUT-FILE [UNITS [FLAGS...]]"""
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


def main():
    out = os.path.abspath(sys.argv[1])
    units = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    flags = sys.argv[3:] or ["-O2"]
    with tempfile.TemporaryDirectory() as work:
        for n in range(units):
            with open(f"{work}/unit{n}.cc", "w") as file:
                file.write(UNIT.replace("@N@", str(n)))
        with open(f"{work}/main.cc", "w") as file:
            file.write("".join(f"namespace unit{n} {{ int run(int); }}\n" for n in range(units)))
            file.write("int main(int argc, char **) { int sum = 0;\n")
            file.write("".join(f"sum += unit{n}::run(argc + 3);\n" for n in range(units)) + "return sum == 1; }\n")

        def compile_unit(name):
            subprocess.run(["g++", "-std=c++17", "-g", *flags, "-c", f"{name}.cc", "-o", f"{name}.o"], cwd=work,
                           check=True, env={**os.environ, "CCACHE_DISABLE": "1"})

        names = [f"unit{n}" for n in range(units)] + ["main"]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(compile_unit, names))
        subprocess.run(["g++", *flags, *[f"{name}.o" for name in names], "-o", out], cwd=work, check=True)


if __name__ == "__main__":
    main()
