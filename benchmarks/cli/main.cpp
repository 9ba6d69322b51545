// SPDX-License-Identifier: MIT
// gnp-bench: Eigen, gnp on the CPU and gnp on the GPU, compared. docs/bench.md says how to read it.
#include <cstdio>

#include "../../examples/support/progress.hpp"
#include "../../examples/support/svg.hpp"
#include "arguments.hpp"
#include "distributed.hpp"
#include "report.hpp"

namespace {

using namespace bench;

void print_list(const std::vector<bench_case>& cases) {
  const auto joined = [](const auto& items, const auto& text) {
    std::string result;
    for (const auto& item : items) {
      if (!result.empty()) result += ',';
      result += text(item);
    }
    return result;
  };
  for (const bench_case& c : cases) {
    std::printf("%-15s  %s\n%15s  %s, %s: %s\n", c.name.c_str(), c.what.c_str(), "",
                joined(c.dtypes, [](const std::string& t) { return t; }).c_str(), c.size_means.c_str(),
                joined(c.sizes, [](index_t n) { return std::to_string(n); }).c_str());
  }
}

/// Runs everything, with a bar on stderr, and prints each row when it is there.
void run(results& all, const setting& s, bool table) {
  std::int64_t total = 0;
  for (const bench_case& c : all.cases) total += static_cast<std::int64_t>(c.sizes.size() * c.dtypes.size());
  const auto contenders = static_cast<std::int64_t>(s.contenders.size());
  total *= contenders;
  std::int64_t done = 0;
  for (const bench_case& c : all.cases) {
    for (const std::string& dtype : c.dtypes) {
      for (const index_t size : c.sizes) {
        {
          support::progress bar(c.name + ' ' + std::to_string(size) + ' ' + dtype, total);
          bar.update(done);
          std::int64_t contender = 0;
          all.rows.push_back(run_case(c, dtype, size, s, [&] { bar.update(done + ++contender); }));
        }  // the bar leaves the line to the row
        done += contenders;
        if (!table) continue;
        std::fputs(table_row(all.rows.back(), s.contenders, s.threads).c_str(), stdout);
        std::fflush(stdout);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (const std::string why = wrong_processor(); !why.empty()) refuse(why);
  const arguments a = parse(argc, argv);
  if (a.distributed) return run_distributed(a.plot);
  const std::vector<bench_case> cases = select(all_cases(), a);
  if (a.list) {
    print_list(cases);
    return 0;
  }

  setting s{.contenders = {}, .threads = a.threads, .effort = a.effort};
  s.contenders = select_contenders(a, s.gpu_ordinal);
  results all{.machine = describe_machine(s.threads, s.gpu_ordinal),
              .contenders = s.contenders,
              .cases = cases,
              .rows = {},
              .effort = a.effort};

  const bool table = !a.no_table;
  if (table) {
    for (const auto& [name, value] : all.machine.lines())
      std::printf("%-18s  %s\n", name.c_str(), value.c_str());
    std::printf("\n%s", table_header(s.contenders, s.threads).c_str());
  }
  run(all, s, table);
  if (table) std::printf("\n%s", table_notes(s.contenders, s.threads).c_str());
  std::fflush(stdout);

  if (!a.json.empty()) chart::write_file(a.json, as_json(all));
  if (!a.csv.empty()) chart::write_file(a.csv, as_csv(all));
  if (!a.plot.empty()) chart::write_file(a.plot, a.plot.ends_with(".svg") ? as_svg(all) : as_html(all));
  for (const row& r : all.rows) {
    if (r.has_failure()) return 1;
  }
  return 0;
}
