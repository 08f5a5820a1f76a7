"""Offload: devices, streams, libraries of kernels, and arrays bound to a device.

The model is pyMIC's (M. Klemm and J. Enkovaara, 2014 to 2016), in code of its own over engines of
today: the host, OpenCL and CUDA. The lesson is 7_offload.

>>> from ladder import offload
>>> stream = offload.devices[0].get_default_stream()
>>> a = stream.bind(np.arange(3.0))
>>> (a + a).update_host().array, stream.sync()
"""

from ladder.offload.arrays import OffloadArray
from ladder.offload.device_list import OffloadDevice, device, devices, number_of_devices
from ladder.offload.handles import DevicePointer, OffloadEvent
from ladder.offload.kind import recorded
from ladder.offload.library import OffloadLibrary
from ladder.offload.streams import OffloadStream
from polymask.common.errors import OffloadError

__all__ = [
    "DevicePointer",
    "OffloadArray",
    "OffloadDevice",
    "OffloadError",
    "OffloadEvent",
    "OffloadLibrary",
    "OffloadStream",
    "device",
    "devices",
    "number_of_devices",
    "recorded",
]
