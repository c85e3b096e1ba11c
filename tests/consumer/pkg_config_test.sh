#!/usr/bin/env bash
# pkg_config_test.sh PREFIX PKGCONFIG_DIR FOLDER COMPILER [FLAG...]
# Builds the consumer's program by what pkg-config says of the package, moved from PREFIX to FOLDER,
# and runs it. PKGCONFIG_DIR lies in the package.
set -euo pipefail
prefix=$1 pkgconfig_dir=$2 folder=$3
source=$(dirname "$0")/program/fib.cpp

rm -rf "$folder"
mkdir -p "$folder"
cp -R "$prefix" "$folder/moved"
export PKG_CONFIG_PATH=$folder/moved/$pkgconfig_dir
read -ra flags < <(pkg-config --cflags --libs belay)
"${@:4}" -std=c++20 "$source" "${flags[@]}" -o "$folder/fib"
"$folder/fib"
