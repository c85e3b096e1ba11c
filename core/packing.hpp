// Packer and Unpacker: tasks, bags and results as bytes, and back.
//
// A type that says how it travels, by pack() and unpack(), is asked. Else trivially copyable values
// travel as their bytes (all ranks run the same binary on the same kind of machine), also those in
// a vector, and everything else through cereal's binary archive; a type that none of these can
// carry is refused at compile time. Unpacking checks every length: data that ends early
// throws std::logic_error, it is never read past.
#pragma once

#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/tuple.hpp>
#include <cereal/types/unordered_map.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <ranges>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "belay/core/errors.hpp"

namespace belay {

class Packer;
class Unpacker;

// The type's own way: value.pack(packer), and a static T::unpack(unpacker) that reads as much.
template <class T>
concept TravelsItsOwnWay = requires(const T& value, Packer& packer, Unpacker& unpacker) {
  value.pack(packer);
  { T::unpack(unpacker) } -> std::same_as<T>;
};

// Pointers and views of others' memory are trivially copyable and mean nothing elsewhere. (One
// inside a struct cannot be seen from here.)
template <class T>
concept TravelsAsBytes =
    !TravelsItsOwnWay<T> && std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
    !std::is_pointer_v<T> && !std::is_member_pointer_v<T> && !std::ranges::enable_view<T>;

namespace detail {

template <class T>
inline constexpr bool is_vector_of_bytes = false;
template <class T, class Allocator>
inline constexpr bool is_vector_of_bytes<std::vector<T, Allocator>> =
    TravelsAsBytes<T> && !std::same_as<T, bool>;

}  // namespace detail

// What cereal's binary archive can write and read back.
template <class T>
concept TravelsByCereal =
    !TravelsItsOwnWay<T> && !std::is_trivially_copyable_v<T> &&
    std::is_default_constructible_v<T> &&
    cereal::traits::is_output_serializable<T, cereal::BinaryOutputArchive>::value &&
    cereal::traits::is_input_serializable<T, cereal::BinaryInputArchive>::value;

// A value that packing can carry to another rank.
template <class T>
concept Travels =
    TravelsItsOwnWay<T> || TravelsAsBytes<T> || detail::is_vector_of_bytes<T> || TravelsByCereal<T>;

// Values one behind the other, as bytes. One thread per object.
class Packer {
 public:
  // Appends one value, the way its type travels. Throws what the type's pack() or cereal throws.
  template <Travels T>
  void put(const T& value) {
    if constexpr (TravelsItsOwnWay<T>) {
      value.pack(*this);
    } else if constexpr (TravelsAsBytes<T>) {
      append(&value, sizeof(T));
    } else if constexpr (detail::is_vector_of_bytes<T>) {
      put_all(std::span<const typename T::value_type>(value));
    } else {
      std::ostringstream stream(std::ios::binary);
      cereal::BinaryOutputArchive archive(stream);
      archive(value);
      const std::string text = std::move(stream).str();
      put(static_cast<std::uint64_t>(text.size()));
      append(text.data(), text.size());
    }
  }

  // A sequence: its length, then its elements.
  template <Travels T>
  void put_all(std::span<const T> values) {
    put(static_cast<std::uint64_t>(values.size()));
    if constexpr (TravelsAsBytes<T>) {
      append(values.data(), values.size_bytes());
    } else {
      for (const T& value : values) put(value);
    }
  }

  // Bytes put so far.
  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
  // The bytes; leaves the packer empty.
  [[nodiscard]] std::vector<std::byte> take() noexcept { return std::exchange(bytes_, {}); }

 private:
  void append(const void* data, std::size_t size) {
    if (size == 0) return;
    const std::size_t end = bytes_.size();
    bytes_.resize(end + size);
    std::memcpy(bytes_.data() + end, data, size);
  }

  std::vector<std::byte> bytes_;
};

// Reads values in the order in which they were put. One thread per object.
class Unpacker {
 public:
  // The bytes have to outlive it.
  explicit Unpacker(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  // The next value. Throws std::logic_error where the bytes end early or cereal reads no T.
  template <Travels T>
  T get() {
    if constexpr (TravelsItsOwnWay<T>) {
      return T::unpack(*this);
    } else if constexpr (TravelsAsBytes<T>) {
      T value{};
      std::memcpy(&value, next(sizeof(T)).data(), sizeof(T));
      return value;
    } else if constexpr (detail::is_vector_of_bytes<T>) {
      return get_all<typename T::value_type, typename T::allocator_type>();
    } else {
      T value{};
      const auto text = next(get<std::uint64_t>());
      std::istringstream stream(
          std::string(reinterpret_cast<const char*>(text.data()), text.size()), std::ios::binary);
      cereal::BinaryInputArchive archive(stream);
      try {
        archive(value);
      } catch (const cereal::Exception& error) {
        BELAY_CHECK(false, error.what());
      }
      return value;
    }
  }

  // What put_all() put. Throws std::logic_error where fewer bytes are left than the length
  // says.
  template <Travels T, class Allocator = std::allocator<T>>
  std::vector<T, Allocator> get_all() {
    const auto count = get<std::uint64_t>();
    std::vector<T, Allocator> values;
    if constexpr (TravelsAsBytes<T>) {
      BELAY_CHECK(count <= bytes_.size() / sizeof(T), count, bytes_.size(), sizeof(T));
      const auto raw = next(count * sizeof(T));
      values.resize(count);
      if (count != 0) std::memcpy(values.data(), raw.data(), raw.size());
    } else {
      for (std::uint64_t i = 0; i < count; ++i) values.push_back(get<T>());
    }
    return values;
  }

  // Bytes not yet read.
  [[nodiscard]] std::size_t left() const noexcept { return bytes_.size(); }

 private:
  std::span<const std::byte> next(std::uint64_t size) {
    BELAY_CHECK(size <= bytes_.size(), size, bytes_.size());
    const auto front = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return front;
  }

  std::span<const std::byte> bytes_;
};

}  // namespace belay
