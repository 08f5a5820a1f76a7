#!/usr/bin/env bash
set -u
exec > >(tee "$OUT/log.txt") 2>&1
stage() { local name=$1; echo; echo "=== $name (at $SECONDS s)"; shift; timeout "$@"; echo "rc=$? $name"; }
export PYTHONUNBUFFERED=1
nvidia-smi | head -15 | tail -8; python3 --version; python3 -c "import numpy; print('image numpy', numpy.__version__)"
pip="python3 -m pip install -q --no-index --no-deps --no-compile --no-cache-dir --upgrade"
$pip --target /tmp/site .whl/*.whl || exit 1
mkdir -p /tmp/nonumpy && cp -r /tmp/site/. /tmp/nonumpy/ && rm -rf /tmp/nonumpy/numpy*
export PYTHONPATH=/tmp/site
driver=$(ldconfig -p | awk '/libnvidia-opencl/ {print $NF; exit}')
[ -n "$driver" ] || driver=$(find /usr -name 'libnvidia-opencl.so*' 2>/dev/null | head -1)
if [ -n "$driver" ] && ! ls /etc/OpenCL/vendors/nvidia.icd >/dev/null 2>&1; then
    mkdir -p /etc/OpenCL/vendors && echo "$driver" > /etc/OpenCL/vendors/nvidia.icd
fi
export OCL_ICD_VENDORS=/etc/OpenCL/vendors
python3 -c "import numpy, pyopencl, numba_cuda, cupy; print(numpy.__version__, pyopencl.VERSION, numba_cuda.__version__, cupy.__version__)"
stage build 240 python3 setup.py -q build_ext --inplace -j "$(nproc)" 2>&1 | tail -5
POLYMASK_BUILD=later stage install 60 $pip --no-build-isolation -e . 2>&1 | tail -3
stage doctor 60 python3 -m polymask doctor
echo "--- with the image's NumPy"
PYTHONPATH=/tmp/nonumpy stage doctor-new-numpy 60 python3 -m polymask doctor
tests="python3 -m pytest -q -p no:cacheprovider --benchmark-disable -n 12 --tb=short --maxfail=200"
run() { local name=$1; shift; stage "$name" "$@" --junitxml "$OUT/$name.xml" >"/tmp/$name.log" 2>&1; tail -3 "/tmp/$name.log"; }
run offload 150 $tests tests/offload -k "cuda or opencl"
run devices 60 $tests tests/devices tests/docs -k "cuda or linked or opencl"
run ladder 90 $tests tests/ladder -k "cuda or linked or opencl"
run contract 90 $tests tests/contract -k "cuda or linked or opencl or gpu"
python3 - <<'PY' > "$OUT/failures.txt"
import os, sys, glob, xml.etree.ElementTree as ET
for f in sorted(glob.glob(os.environ["OUT"] + "/*.xml")):
    s = ET.parse(f).getroot().find("testsuite")
    print("##", os.path.basename(f), s.attrib)
    for c in s.iter("testcase"):
        for k in ("failure", "error"):
            e = c.find(k)
            if e is not None:
                print("-", c.get("classname"), c.get("name"), "|", (e.get("message") or "")[:300].replace("\n", " / "))
                print("    " + "\n    ".join((e.text or "").strip().splitlines()[-14:]))
PY
grep -c '^- ' "$OUT/failures.txt"; grep '^[-#]' "$OUT/failures.txt" | cut -c1-220
stage verify 60 python3 -m polymask workshop verify blocks matmul linking saxpy
echo "=== end at $SECONDS s"
