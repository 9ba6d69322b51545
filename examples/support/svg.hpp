// SPDX-License-Identifier: MIT
// The few SVG elements that charts are made of, and the look that all charts share.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace chart {

/// Text as XML may hold it: the markup characters escaped, ends of lines as blanks, the other control
/// characters (which XML forbids) left out.
inline std::string escape(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\n':
      case '\t':
        result += ' ';
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) result += c;
    }
  }
  return result;
}

/// A length in pixels, to a hundredth, with a decimal point whatever the locale.
inline std::string pixels(double value) {
  std::array<char, 64> text{};
  const double rounded = std::round(value * 100) / 100 + 0.0;  // -0 becomes 0
  const auto end = std::to_chars(text.data(), text.data() + text.size(), rounded).ptr;
  return {text.data(), end};
}

/// About how wide a text is in a sans-serif font: enough to keep labels apart.
inline double text_width(std::string_view text, double font_size) {
  double ems = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80) continue;  // inside a UTF-8 character
    if (std::string_view("ijlI.,:;'|!()[] ").find(c) != std::string_view::npos) {
      ems += 0.3;
    } else if (std::string_view("mwMW%").find(c) != std::string_view::npos) {
      ems += 0.88;
    } else {
      ems += c >= 'A' && c <= 'Z' ? 0.69 : 0.56;
    }
  }
  return ems * font_size;
}

// Okabe and Ito's colours, which the colour-blind can tell apart, without the yellow that paper swallows.
inline constexpr std::array<const char*, 7> colours{"#000000", "#E69F00", "#0072B2", "#009E73",
                                                    "#D55E00", "#CC79A7", "#56B4E9"};
// What tells lines apart where there is no colour at all.
inline constexpr std::array<const char*, 7> dashes{"", "7 3", "", "", "2 2.5", "9 3 2 3", "4 2"};

inline const char* colour_of(std::size_t series) { return colours[series % colours.size()]; }
inline const char* dash_of(std::size_t series) { return dashes[series % dashes.size()]; }

inline constexpr const char* ink = "#222222";
inline constexpr const char* pale_ink = "#595959";
inline constexpr const char* grid_colour = "#E3E3E3";
inline constexpr double label_size = 12;
inline constexpr double line_height = 17;

enum class anchor { start, middle, end };

/// A finished chart, to be written to a file, put into a page, or stacked with others.
struct drawing {
  double width = 0;
  double height = 0;
  std::string elements;

  void line(double x1, double y1, double x2, double y2, const std::string& colour, double width_ = 1,
            const std::string& dash = "") {
    elements += "<line x1=\"" + pixels(x1) + "\" y1=\"" + pixels(y1) + "\" x2=\"" + pixels(x2) + "\" y2=\"" +
                pixels(y2) + "\" stroke=\"" + colour + "\" stroke-width=\"" + pixels(width_) + '"';
    if (!dash.empty()) elements += " stroke-dasharray=\"" + dash + '"';
    elements += "/>\n";
  }

  /// `data` is SVG's path language; a path is either a stroke or filled.
  void path(const std::string& data, const std::string& stroke, const std::string& fill, double width_ = 1,
            const std::string& dash = "") {
    elements += "<path d=\"" + data + "\" stroke=\"" + stroke + "\" fill=\"" + fill + "\" stroke-width=\"" +
                pixels(width_) + "\" stroke-linejoin=\"round\"";
    if (!dash.empty()) elements += " stroke-dasharray=\"" + dash + '"';
    elements += "/>\n";
  }

  void rectangle(double x, double y, double width_, double height_, const std::string& fill) {
    elements += "<rect x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\" width=\"" + pixels(width_) +
                "\" height=\"" + pixels(height_) + "\" fill=\"" + fill + "\"/>\n";
  }

  /// With a white rim, so that lines behind it do not make it unreadable.
  void text(double x, double y, std::string_view words, double size = label_size,
            const std::string& colour = ink, anchor at = anchor::start, bool bold = false) {
    static constexpr std::array<const char*, 3> anchors{"start", "middle", "end"};
    elements += "<text x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\" font-size=\"" + pixels(size) +
                "\" fill=\"" + colour + "\" text-anchor=\"" + anchors[static_cast<std::size_t>(at)] + '"';
    if (bold) elements += " font-weight=\"bold\"";
    elements += " stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">" + escape(words) + "</text>\n";
  }

  /// A marker whose form, too, says which line it belongs to.
  void marker(double x, double y, std::size_t series) {
    const auto at = [&](double dx, double dy) { return pixels(x + dx) + ' ' + pixels(y + dy) + ' '; };
    std::string data;
    switch (series % 7) {
      case 0:
        data = "M" + at(-4, 0) + "a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z";
        break;  // circle
      case 1:
        data = "M" + at(-3.6, -3.6) + "h7.2v7.2h-7.2Z";
        break;  // square
      case 2:
        data = "M" + at(0, -4.8) + "L" + at(4.6, 3.4) + "L" + at(-4.6, 3.4) + "Z";
        break;  // triangle
      case 3:
        data = "M" + at(0, -5.2) + "l5.2 5.2l-5.2 5.2l-5.2 -5.2Z";
        break;  // diamond
      case 4:
        data = "M" + at(0, 4.8) + "L" + at(4.6, -3.4) + "L" + at(-4.6, -3.4) + "Z";
        break;  // upside down
      case 5:
        data = "M" + at(-1.6, -5) + "h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4Z";
        break;  // plus
      default:
        data = "M" + at(-5, -2.4) + "h10v4.8h-10Z";
        break;  // bar
    }
    path(data, "white", colour_of(series), 1);
  }
};

/// The drawing as a file's whole text.
inline std::string to_svg(const drawing& d) {
  const std::string size = pixels(d.width) + ' ' + pixels(d.height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + "\" width=\"" + pixels(d.width) +
         "\" height=\"" + pixels(d.height) +
         "\" font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" +
         d.elements + "</svg>\n";
}

/// Several drawings as one, from top to bottom.
inline drawing stack(const std::vector<drawing>& parts) {
  drawing all;
  for (const drawing& part : parts) {
    all.elements += "<g transform=\"translate(0 " + pixels(all.height) + ")\">\n" + part.elements + "</g>\n";
    all.height += part.height;
    all.width = std::max(all.width, part.width);
  }
  return all;
}

/// Makes the folder, too, where it is not there.
inline void write_file(const std::string& path, const std::string& text) {
  if (const auto folder = std::filesystem::path(path).parent_path(); !folder.empty()) {
    std::filesystem::create_directories(folder);
  }
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.flush();
  if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace chart
