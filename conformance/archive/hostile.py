"""usage: hostile.py GOOD.tar DIRECTORY: archives that nobody should trust, one for each way, made of a good one."""

import io
import pathlib
import sys
import tarfile

good, directory = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def members():
    with tarfile.open(good) as archive:
        for info in archive:
            yield info, archive.extractfile(info).read()


def make(name, change):
    """Every file of the good archive as `change` gives it back: None leaves it out."""
    with tarfile.open(directory / name, "w", format=tarfile.USTAR_FORMAT) as archive:
        for info, data in members():
            for one in change(info.name, data):
                add(archive, *one)
    whole = (directory / name).read_bytes()
    end = len(whole.rstrip(b"\0"))
    (directory / name).write_bytes(whole[: (end + 511) // 512 * 512] + bytes(1024))


def add(archive, name, data, kind=tarfile.REGTYPE, target=""):
    info = tarfile.TarInfo(name)
    info.size, info.type, info.linkname = len(data), kind, target
    archive.addfile(info, io.BytesIO(data))


def with_extra(*extra):
    return lambda name, data: [(name, data)] + ([extra] if name == "MANIFEST" else [])


make("same.tar", lambda name, data: [(name, data)])
make("climbs.tar", with_extra("results/../../climbed", b"x"))
make("absolute.tar", with_extra("/tmp/climbed", b"x"))
make("hidden.tar", with_extra("results/.profile", b"x"))
make("link.tar", with_extra("results/link", b"", tarfile.SYMTYPE, "/etc/passwd"))
make("hard.tar", with_extra("results/hard", b"", tarfile.LNKTYPE, "MANIFEST"))
make("device.tar", with_extra("results/device", b"", tarfile.CHRTYPE))
make("twice.tar", with_extra("ENVIRONMENT", b"version: 9\n"))
make("added.tar", with_extra("results/added.json", b"{}"))
make("left_out.tar", lambda name, data: [] if name.startswith("sweeps/") else [(name, data)])
make("changed.tar", lambda name, data: [(name, data.replace(b'"failed": 0', b'"failed": 1', 1))])

bytes_of_good = good.read_bytes()
(directory / "cut.tar").write_bytes(bytes_of_good[: len(bytes_of_good) // 2])
(directory / "behind.tar").write_bytes(bytes_of_good + b"x" * 512)
(directory / "bent.tar").write_bytes(bytes_of_good[:130] + b"7" + bytes_of_good[131:])
(directory / "noise.tar").write_bytes(bytes(range(256)) * 40)
(directory / "empty.tar").write_bytes(b"")
