"""The table of rooms: conformance/house/rooms as data."""

import os


def parse(path):
    """(name, files of a door, rooms that it may see, what it is for), a row each."""
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, sees, purpose = (part.strip() for part in line.split("|"))
            yield name.split()[0], name.split()[1:], sees.split(), purpose


class Rooms:
    def __init__(self, root):
        self.names, self.doors, self.sees, self.purpose, self.mistakes = [], {}, {}, {}, []
        for name, files, sees, purpose in parse(root / "conformance/house/rooms"):
            for other in sees:
                if other not in self.names:
                    self.mistakes.append(f"conformance/house/rooms: {name} sees {other}, which is not a row above it")
            self.names.append(name)
            self.doors[name] = files
            self.sees[name] = sees
            self.purpose[name] = purpose

    def of(self, file):
        """The room that a file is in: the deepest directory with a row."""
        inside = [name for name in self.names if file.startswith(name + "/")]
        return max(inside, key=len, default=self.door(file))

    def door(self, file):
        return next((name for name, files in self.doors.items() if file in files), None)

    @staticmethod
    def is_test(file):
        return os.path.basename(file).startswith(("test_", "fixture_", "fuzz_", "long_"))

    def may(self, file, here, found, there):
        seen = {here, *self.sees[here], *(self.sees["tests"] if self.is_test(file) else ())}
        return there in seen or self.door(found) in seen

    def needed(self, name):
        """What a room sees, without what it sees through another room: the arrows of a picture."""
        through = {far for near in self.sees[name] for far in self.reach(near)}
        return [other for other in self.sees[name] if other not in through]

    def reach(self, name):
        return {far for near in self.sees[name] for far in {near, *self.reach(near)}}
