"""Fetch what pages carry along and others wrote: the plot library, minified, with its licence.

    make assets

Needs npm. What is fetched is the version below, whose hash must be INTEGRITY. Its files are written beside
each other, with a note of where they come from and what their hashes are. Of the library's bundles it is the
one for charts with two axes, a third of the whole.
"""

from __future__ import annotations

import base64
import hashlib
import io
import subprocess
import tarfile
import tempfile
from pathlib import Path

from vlnscope.core.json_file import write_json

PACKAGE, VERSION = "plotly.js-cartesian-dist-min", "4.1.1"
INTEGRITY = "sha512-o8GrFeusncwBIxbBynRJpY4pkgVB6caM+JLpwrLYbbsO7dZ8FJ+SVN2Fr+L7kiG/Z6w4P5O0Jus/Qr5EefHVeg=="
FILES = {
    "package/plotly-cartesian.min.js": "plotly-cartesian.min.js",
    "package/LICENSE": "plotly-cartesian.LICENSE",
}
FOLDER = Path(__file__).resolve().parents[1] / "src/vlnscope/reporting/page/vendor"


def main() -> None:
    """Fetch the package, check it, and write its files."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", "--silent", f"{PACKAGE}@{VERSION}", "--pack-destination", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        (archive,) = Path(folder).glob("*.tgz")
        content = archive.read_bytes()
    digest = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()
    if digest != INTEGRITY:
        raise SystemExit(f"{PACKAGE}@{VERSION}: its hash is {digest}, not {INTEGRITY}")
    FOLDER.mkdir(exist_ok=True)
    hashes = {}
    with tarfile.open(fileobj=io.BytesIO(content)) as held:
        for name, target in FILES.items():
            stream = held.extractfile(name)
            assert stream is not None
            (FOLDER / target).write_bytes(written := stream.read())
            hashes[target] = hashlib.sha256(written).hexdigest()
    note = {"package": PACKAGE, "version": VERSION, "integrity": INTEGRITY, "sha256": hashes}
    write_json(FOLDER / "plotly-cartesian.json", note)


if __name__ == "__main__":
    main()
