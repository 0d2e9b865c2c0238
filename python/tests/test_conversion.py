"""Runs in other forms, read back by readers that share no code with the writers."""

import json
import os
import struct
import tempfile
import unittest
import zlib

import numpy as np

import camber


class Conversion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.run_ = camber.load("scenarios/step-steer.toml", {"run.duration": 2}).run(log=os.path.join(cls.folder.name, "run"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_csv_npz_h5_and_parquet(self):
        for ending in ("csv", "npz", "h5", "parquet"):
            camber.convert(self.path("run"), self.path("x." + ending))
        columns = self.run_.columns()
        table = np.genfromtxt(self.path("x.csv"), delimiter=",", names=True, deletechars="")
        self.assertEqual(len(table.dtype.names), len(columns))
        for name, values in zip(table.dtype.names, columns.values()):
            np.testing.assert_array_equal(table[name], values)
        stored = np.load(self.path("x.npz"))
        np.testing.assert_array_equal(stored["chassis/rates.yaw"], columns["chassis/rates.yaw"])
        import h5py

        with h5py.File(self.path("x.h5")) as file:
            np.testing.assert_array_equal(file["chassis/rates"][:, 2], columns["chassis/rates.yaw"])
        # Plain pages, not compressed: the numbers of a column lie one after the other.
        with open(self.path("x.parquet"), "rb") as file:
            data = file.read()
        self.assertEqual((data[:4], data[-4:]), (b"PAR1", b"PAR1"))
        self.assertIn(columns["chassis/rates.yaw"].astype("<f8").tobytes(), data)
        with self.assertRaisesRegex(camber.Error, "mcap"):
            self.run_.save(self.path("x.docx"))

    def test_mcap(self):
        self.run_.save(self.path("x.mcap"))
        with open(self.path("x.mcap"), "rb") as file:
            data = file.read()
        magic = b"\x89MCAP0\r\n"
        self.assertTrue(data.startswith(magic) and data.endswith(magic))

        def records(start, end):
            while start < end:
                opcode, length = struct.unpack_from("<BQ", data, start)
                yield opcode, start, data[start + 9:start + 9 + length]
                start += 9 + length
            self.assertEqual(start, end)

        found = list(records(8, len(data) - 8))
        self.assertEqual([found[0][0], found[-1][0]], [1, 2])
        summary_start, _, crc = struct.unpack("<QQI", found[-1][2])
        self.assertEqual(crc, zlib.crc32(data[summary_start:len(data) - 8 - 4]))
        topics, yaw, count = {}, [], 0
        for opcode, _, content in found:
            if opcode == 4:
                number, _, length = struct.unpack_from("<HHI", content)
                topics[number] = content[8:8 + length].decode()
            if opcode != 6:
                continue
            first, last, size, crc = struct.unpack_from("<QQQI", content)
            messages = content[-size:]
            self.assertEqual(zlib.crc32(messages), crc)
            at = 0
            while at < size:
                kind, length = struct.unpack_from("<BQ", messages, at)
                number, _, time, _ = struct.unpack_from("<HIQQ", messages, at + 9)
                self.assertTrue(kind == 5 and first <= time <= last)
                if topics[number] == "/chassis/rates":
                    yaw.append((time, json.loads(messages[at + 31:at + 9 + length])["yaw"]))
                count += 1
                at += 9 + length
        np.testing.assert_array_equal([y for _, y in yaw], self.run_["chassis/rates"]["yaw"])
        np.testing.assert_array_equal([t for t, _ in yaw], np.round(1e9 * self.run_.time))
        self.assertEqual(count, len(self.run_) * len(self.run_.channels))
        chunks = {start for opcode, start, _ in found if opcode == 6}
        indexed = {struct.unpack_from("<QQQ", content)[2] for opcode, _, content in found if opcode == 8}
        self.assertEqual(chunks, indexed)


if __name__ == "__main__":
    unittest.main()
