"""What is in two wheels: prints it, and fails where it is not what it should be, or a licence is missing.

usage: fixture_wheels.py DIRECTORY
"""

import re
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
NATIVE = {
    "softgpu": {"softgpu", "libcuda.so.1", "libcudart.so.12", "libcudart.so.13"},
    "cotangent_suite": {"cotangent"},
}


def expected(package, directory):
    """Every source that lies in the package, and the programs."""
    sources = {f"{package}/{path.name}" for path in (HERE / directory / package).iterdir() if path.is_file()}
    return sources | {f"{package}/native/{name}" for name in NATIVE[package]}


def check(package, directory, wheels):
    (wheel,) = wheels.glob(f"{package}-*.whl")
    with zipfile.ZipFile(wheel) as opened:
        sizes = {info.filename: info.file_size for info in opened.infolist() if not info.is_dir()}
        licences = {name: opened.read(name) for name in sizes if re.search(r"\.dist-info/.*LICENSE", name)}
    for name, size in sorted(sizes.items()):
        print(f"{size:9} {name}")
    held = {name for name in sizes if name.startswith(f"{package}/")}
    assert held == expected(package, directory), held ^ expected(package, directory)
    named = {name.rpartition("/")[2]: text for name, text in licences.items()}
    assert named["LICENSE"] == (HERE.parent / "LICENSE").read_bytes()
    bundled = [name.rpartition("/")[2] for name in sizes if name.startswith(f"{package}.libs/")]
    for library in bundled:
        stem = re.match(r"lib[a-z]+", library).group()
        assert any(name.startswith(f"LICENSE.{stem}") for name in named), f"{library} without a licence"
    for text in filter(None, named.values()):
        for other in re.findall(rb"/usr/share/common-licenses/([A-Za-z]+(?:-\d+(?:\.\d+)?)?)", text):
            assert f"LICENSE.{other.decode()}" in named, f"no text of {other.decode()}"
    others = {name for name in sizes if not re.match(rf"{package}(/|\.libs/|-[^/]*\.dist-info/)", name)}
    assert not others, others
    return len(bundled)


def main(directory):
    places = (("softgpu", "device"), ("cotangent_suite", "suite"))
    bundled = [check(package, name, Path(directory)) for package, name in places]
    print("libraries that are bundled:", *bundled)


if __name__ == "__main__":
    main(sys.argv[1])
