// SPDX-License-Identifier: MIT
// test: asan
// Runs the programs of tests/data/views.txt: chains of indexing, transposing and reshaping. The result's shape,
// values, strides and place in the base array are NumPy's; so is what is refused.
#include "devices.hpp"
#include "golden.hpp"

namespace {

using array = gnp::array<std::int64_t>;

gnp::index_arg parse_index(const std::string& token) {
  const auto parts = golden::split(token, ":");
  const auto bound = [&](std::size_t i) {
    return parts.at(i) == "None" ? gnp::detail::slice_bound(gnp::none)
                                 : gnp::detail::slice_bound(std::stoll(parts[i]));
  };
  switch (parts.at(0).at(0)) {
    case 'i':
      return std::stoll(parts.at(1));
    case 's':
      return gnp::slice(bound(1), bound(2), bound(3));
    case 'a':
      return gnp::all;
    case 'n':
      return gnp::newaxis;
    case 'e':
      return gnp::ellipsis;
  }
  throw std::logic_error("unknown index " + token);
}

array take_step(const array& a, const std::string& step) {
  const auto words = golden::split(step, " ");
  const std::string& name = words.at(0);
  if (name == "idx") {
    std::vector<gnp::index_arg> indices;
    for (std::size_t i = 1; i < words.size(); ++i) indices.push_back(parse_index(words[i]));
    return a.index(indices);
  }
  const bool given = words.size() > 1;
  const gnp::shape_t list = given ? golden::parse_shape(words[1]) : gnp::shape_t{};
  const auto axis = [&](std::size_t i) { return static_cast<int>(list[i]); };
  if (name == "transpose") return given ? gnp::transpose(a, list) : gnp::transpose(a);
  if (name == "swapaxes") return gnp::swapaxes(a, axis(0), axis(1));
  if (name == "moveaxis") return gnp::moveaxis(a, list, golden::parse_shape(words.at(3)));
  if (name == "squeeze") return given ? gnp::squeeze(a, list) : gnp::squeeze(a);
  if (name == "expand_dims") return gnp::expand_dims(a, list);
  if (name == "broadcast_to") return gnp::broadcast_to(a, list);
  if (name == "flip") return given ? gnp::flip(a, list) : gnp::flip(a);
  if (name == "reshape") return gnp::reshape(a, list);
  if (name == "ravel") return gnp::ravel(a);
  throw std::logic_error("unknown step " + step);
}

array make_base(const gnp::shape_t& shape) {
  gnp::host_array<std::int64_t> values(shape);
  for (gnp::index_t i = 0; i < values.size(); ++i) values[i] = i;
  return gnp::asarray(values.data(), shape);
}

/// The line's last part, from what gnp did. Where NumPy's stride is "-", so is the answer's.
std::string describe(const array& result, const array& base, const std::vector<std::string>& numpy_strides) {
  const auto join = [](const auto& list) {
    std::string text;
    for (const auto& item : list) {
      if (!text.empty()) text += ",";
      if constexpr (std::is_same_v<std::decay_t<decltype(item)>, std::string>)
        text += item;
      else
        text += std::to_string(item);
    }
    return text;
  };
  std::vector<std::string> strides;
  for (std::size_t d = 0; d < result.shape().size(); ++d) {
    const bool open = d < numpy_strides.size() && numpy_strides[d] == "-";
    strides.push_back(open ? "-" : std::to_string(result.strides()[d]));
  }
  std::string offset = "-";
  if (result.size() > 0) {
    const bool inside = result.data() >= base.data() && result.data() < base.data() + base.size();
    offset = inside ? std::to_string(result.data() - base.data()) : "copy";
  }
  const gnp::host_array<std::int64_t> values = gnp::asnumpy(result);
  return "shape " + join(result.shape()) + " strides " + join(strides) + " offset " + offset + " values " +
         join(std::vector<std::int64_t>(values.begin(), values.end()));
}

std::string run(const std::vector<std::string>& parts) {
  const std::string base_text = golden::split(parts.at(0), " ").at(1);
  const std::string& expected = parts.back();
  const array base = make_base(golden::parse_shape(base_text));
  try {
    array result = base;
    for (std::size_t i = 1; i + 1 < parts.size(); ++i) result = take_step(result, parts[i]);
    const auto words = golden::split(expected, " ");
    const auto strides = words.at(0) == "shape" ? golden::split(words.at(3), ",") : std::vector<std::string>{};
    return describe(result, base, strides);
  } catch (const gnp::index_error& e) {
    return expected == "error error" ? expected : "error index_error";
  } catch (const gnp::shape_error& e) {
    return expected == "error error" ? expected : "error shape_error";
  }
}

}  // namespace

TEST_CASE("views: random programs give NumPy's views") {
  const auto lines = golden::split(golden::read_file("views.txt"), "\n");
  REQUIRE(lines.size() > 600);
  for_each_device([&](gnp::device) {
    for (const std::string& line : lines) {
      if (line.empty()) continue;
      const auto parts = golden::split(line, " | ");
      INFO(line);
      CHECK(run(parts) == parts.back());
    }
  });
}

TEST_CASE("views: a program with a wrong answer is noticed") {
  const gnp::use_device guard(gnp::device::cpu());
  const auto right =
      golden::split("base 2,3 | transpose | shape 3,2 strides 8,24 offset 0 values 0,3,1,4,2,5", " | ");
  CHECK(run(right) == right.back());
  for (const char* step : {"idx e", "flip", "reshape 3,2", "idx s:None:None:-1"}) {
    auto wrong = right;
    wrong[1] = step;
    CHECK(run(wrong) != right.back());
  }
  auto refused = right;
  refused[1] = "idx i:2";
  CHECK(run(refused) == "error index_error");
}
