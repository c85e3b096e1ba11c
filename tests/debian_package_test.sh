#!/usr/bin/env bash
# debian_package_test.sh BUILD FOLDER MPI_PACKAGE: makes the Debian package of a build folder and
# looks at what is in it and what it depends on. MPI_PACKAGE: a pattern, or empty.
set -euo pipefail
build=$1 folder=$2 mpi_package=$3

rm -rf "$folder"
cpack --config "$build/CPackConfig.cmake" -B "$folder" >/dev/null
package=$(echo "$folder"/belay_*.deb)

contents=$(dpkg-deb --contents "$package")
failed=0
wanted() {
  grep -qE "$1" <<<"$2" || { echo "wanted: $1, in:" && echo "$2" && failed=1; }
}
for file in bin/belay-{bc,bpc,dcpar,fib,nqueens,report,synth,uts} include/belay/belay.hpp \
  include/belay/core/problem.hpp lib.*/libbelay{,_core,_intra,_protocol,_sim,_transport}.a \
  lib.*/cmake/belay/belay-{config,config-version,targets}.cmake lib.*/pkgconfig/belay.pc \
  share/doc/belay/{README.md,LICENSE}; do
  wanted " \./usr/$file\$" "$contents"
done
depends=$(dpkg-deb --field "$package" Depends)
for dependency in libcereal-dev libhwloc-dev libtbb-dev pkg-config 'libhwloc15 \(' 'libc6 \(' \
  $mpi_package; do
  wanted "(^|, )$dependency" "$depends"
done
exit $failed
