"""Writes tone.json: hashes of pictures that OpenCV and scikit-image compute, channel by channel.

On Debian 12: apt install python3-skimage python3-opencv, then python3 tone.py
"""

import hashlib
import json
import pathlib

import cv2
import numpy as np
from skimage import exposure

HERE = pathlib.Path(__file__).parent


def channels(image, change):
    if image.ndim == 2:
        return change(image)
    return np.stack([change(np.ascontiguousarray(image[..., i])) for i in range(image.shape[2])], axis=-1)


def equalized(plane):
    if plane.dtype == np.uint8:
        return cv2.equalizeHist(plane)
    # The same formula in doubles: OpenCV has it for 8 bits alone.
    counts = np.bincount(plane.ravel(), minlength=65536).astype(float)
    counts[np.flatnonzero(counts)[0]] = 0
    return np.rint(np.cumsum(counts) * (65535 / counts.sum()))[plane].astype(np.uint16)


def stretched(plane):
    return exposure.rescale_intensity(plane, in_range=tuple(np.percentile(plane, (1, 99))))


def clahe(limit, grid):
    return lambda plane: cv2.createCLAHE(limit, grid).apply(plane)


def sha256(image):
    return hashlib.sha256(np.ascontiguousarray(image).astype(image.dtype.newbyteorder("<")).tobytes()).hexdigest()


found = {}
for path in (HERE / "../../sample/evening.png", HERE / "../fixtures/grey16.png"):
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    image = image if image.ndim == 2 else image[..., ::-1]
    found[path.name] = {
        "--equalize": sha256(channels(image, equalized)),
        "--clahe": sha256(channels(image, clahe(40.0, (8, 8)))),
        "--clahe --clip-limit 2 --grid 5x3": sha256(channels(image, clahe(2.0, (5, 3)))),
        "--stretch 1,99": sha256(channels(image, stretched)),
    }
    if image.ndim == 3:
        reference = channels(image, equalized)
        found[path.name]["--match"] = sha256(exposure.match_histograms(image, reference, channel_axis=2))
(HERE / "tone.json").write_text(json.dumps(found, indent=2) + "\n")
