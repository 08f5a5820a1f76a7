#!/bin/sh
# The contract suite of the compiled rungs on an emulated Debian of another processor:
#
#     tests/support/emulated.sh arm64 build/arm64       # as root, for debootstrap
#
# Wants debootstrap, qemu-user-static, the cross-compiler (g++-aarch64-linux-gnu) and a clone in
# which `make build` ran. The packages are unpacked, not installed: nothing is run in the target
# but Python, and the extension modules come from the cross-compiler.
set -eu
cd "$(dirname "$0")/../.."
arch=$1
mkdir -p "$2"
folder=$(realpath "$2")
case $arch in
arm64) target=aarch64-linux-gnu qemu=qemu-aarch64-static ;;
*) echo "arm64 wanted, got $arch" >&2 && exit 2 ;;
esac
root=$folder/root
# Threads of Python that fight for its lock a million times a second: minutes a case, emulated.
slow="and not four_threads and not release_the_gil"

if [ ! -e "$folder/unpacked" ]; then
    rm -rf "$folder/packages" "$root"
    debootstrap --foreign --arch="$arch" --variant=minbase \
        --include=python3-dev,python3-numpy,python3-pytest,python3-click,python3-rich,python3-pil,libgomp1,libstdc++6 \
        trixie "$folder/packages" ${MIRROR:+"$MIRROR"}
    mkdir "$root"
    for package in "$folder"/packages/var/cache/apt/archives/*.deb; do
        dpkg-deb -x "$package" "$root"
    done
    touch "$folder/unpacked"
fi

# The target's Python says how extension modules are called and compiled; its headers come before
# this machine's Python, and behind those of the cross-compiler's C library.
python=$(basename "$root"/usr/lib/python3.*[0-9])
mkdir -p "$folder/sysconfig"
cp "$root/usr/lib/$python/_sysconfigdata__$target.py" "$folder/sysconfig"
headers="-I$root/usr/include/$python -idirafter $root/usr/include"
env _PYTHON_SYSCONFIGDATA_NAME="_sysconfigdata__$target" PYTHONPATH="$folder/sysconfig" \
    CC="$target-gcc $headers" CXX="$target-g++ $headers" AR="$target-ar" \
    LDSHARED="$target-gcc -shared" LDCXXSHARED="$target-g++ -shared" \
    .venv/bin/python setup.py -q build --build-base "$folder/build" --build-lib "$folder/lib"
.venv/bin/python setup.py -q egg_info --egg-base "$folder/lib"

# Outside the clone, whose own polymask would be found first.
rm -rf "$folder/suite"
mkdir "$folder/suite"
cp -r tests pyproject.toml "$folder/suite"
cd "$folder/suite"
libraries=/usr/lib/$target
exec $qemu -L "$root" -E PYTHONPATH="$folder/lib" -E PYTHONDONTWRITEBYTECODE=1 \
    -E LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack" \
    "$root/usr/bin/$python" -m pytest -q -p no:cacheprovider tests/contract \
    -k "(${RUNGS:-cython or clib or cclass or openmp or engine or threads}) $slow"
