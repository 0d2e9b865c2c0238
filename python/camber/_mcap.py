"""Runs as MCAP files (mcap.dev/spec), which Foxglove and other viewers open: a topic for each channel, JSON messages."""

from __future__ import annotations

import json
import struct
import zlib
from typing import TYPE_CHECKING, Any, BinaryIO, Iterator

if TYPE_CHECKING:
    from camber._run import Run

_MAGIC = b"\x89MCAP0\r\n"
_CHUNK = 1 << 20  # bytes of messages, about


def _text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<I", len(data)) + data


def _counts(entries: dict[int, int]) -> bytes:
    """Map<uint16, uint64>."""
    data = b"".join(struct.pack("<HQ", *entry) for entry in entries.items())
    return struct.pack("<I", len(data)) + data


def _record(opcode: int, content: bytes) -> bytes:
    return struct.pack("<BQ", opcode, len(content)) + content


class _Writer:
    """Writes chunks with their indexes, so that viewers jump to any time."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._at = 0
        self._definitions: list[bytes] = []  # schemas
        self._channels: list[bytes] = []
        self._chunk: list[bytes] = []
        self._size = 0
        self._places: dict[int, list[tuple[int, int]]] = {}
        self._chunk_indexes: list[bytes] = []
        self._counts: dict[int, int] = {}
        self._first: int | None = None
        self._last = 0
        self._write(_MAGIC + _record(1, _text("") + _text("camber")))

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._at += len(data)

    def add_channel(self, topic: str, schema: dict[str, Any], metadata: dict[str, str]) -> int:
        number = len(self._channels) + 1
        described = json.dumps(schema).encode()
        pairs = b"".join(_text(k) + _text(v) for k, v in metadata.items())
        self._definitions.append(_record(3, struct.pack("<H", number) + _text(topic) + _text("jsonschema")
                                         + struct.pack("<I", len(described)) + described))
        self._channels.append(_record(4, struct.pack("<HH", number, number) + _text("/" + topic) + _text("json")
                                      + struct.pack("<I", len(pairs)) + pairs))
        self._counts[number] = 0
        self._write(self._definitions[-1] + self._channels[-1])
        return number

    def add_message(self, channel: int, time: int, data: bytes) -> None:
        record = _record(5, struct.pack("<HIQQ", channel, self._counts[channel] & 0xFFFFFFFF, time, time) + data)
        self._places.setdefault(channel, []).append((time, self._size))
        self._chunk.append(record)
        self._size += len(record)
        self._counts[channel] += 1
        self._first = time if self._first is None else min(self._first, time)
        self._last = max(self._last, time)
        if self._size >= _CHUNK:
            self._end_chunk()

    def _end_chunk(self) -> None:
        if not self._chunk:
            return
        records = b"".join(self._chunk)
        times = [time for places in self._places.values() for time, _ in places]
        start = self._at
        self._write(_record(6, struct.pack("<QQQI", min(times), max(times), len(records), zlib.crc32(records)) + _text("")
                            + struct.pack("<Q", len(records)) + records))
        length = self._at - start
        offsets: dict[int, int] = {}
        index_start = self._at
        for channel, places in self._places.items():
            offsets[channel] = self._at
            entries = b"".join(struct.pack("<QQ", *place) for place in places)
            self._write(_record(7, struct.pack("<HI", channel, len(entries)) + entries))
        self._chunk_indexes.append(_record(8, struct.pack("<QQQQ", min(times), max(times), start, length) + _counts(offsets)
                                           + struct.pack("<Q", self._at - index_start) + _text("")
                                           + struct.pack("<QQ", len(records), len(records))))
        self._chunk, self._places, self._size = [], {}, 0

    def close(self) -> None:
        self._end_chunk()
        self._write(_record(15, struct.pack("<I", 0)))
        start = self._at
        statistics = _record(11, struct.pack("<QHIIIIQQ", sum(self._counts.values()), len(self._definitions),
                                             len(self._channels), 0, 0, len(self._chunk_indexes), self._first or 0, self._last)
                             + _counts(self._counts))
        summary = b"".join([*self._definitions, *self._channels, *self._chunk_indexes, statistics])
        footer = struct.pack("<BQ", 2, 20) + struct.pack("<QQ", start, 0)
        self._write(summary + footer + struct.pack("<I", zlib.crc32(summary + footer)) + _MAGIC)


def _messages(name: str, number: int, times: Any, columns: dict[str, Any]) -> Iterator[tuple[int, int, bytes]]:
    """Time [ns], channel and JSON of each sample; a number that is not finite is null."""
    labels = [label[len(name) + 1:] or "value" for label in columns]
    for time, row in zip(times.tolist(), zip(*(values.tolist() for values in columns.values()))):
        values = {label: value if value - value == 0 else None for label, value in zip(labels, row)}
        yield round(1e9 * time), number, json.dumps(values).encode()


def write_mcap(run: Run, path: str) -> None:
    """All channels and series of a run; times count from the start of the run."""
    import heapq

    with open(path, "wb") as file:
        writer = _Writer(file)
        streams = []
        sources: list[tuple[Any, Any]] = [(run.time, run[name]) for name in run.channels]
        for series in run.series.values():
            sources += [(series.time, series[name]) for name in series.channels]
        for times, channel in sources:
            columns = channel.columns()
            names = [label[len(channel.name) + 1:] or "value" for label in columns]
            schema = {"type": "object", "title": channel.name, "description": channel.description,
                      "properties": {name: {"type": "number"} for name in names}}
            number = writer.add_channel(channel.name, schema, {"unit": ", ".join(channel.units)})
            streams.append(_messages(channel.name, number, times, columns))
        for time, number, data in heapq.merge(*streams, key=lambda message: message[0]):
            writer.add_message(number, max(0, time), data)
        writer.close()
