"""What the comparison of printed lines with those of a page must find."""

import unittest

import console


class Console(unittest.TestCase):
    def test_numbers_are_compared_up_to_rounding(self):
        self.assertTrue(console.is_like("a  1.234 s", "a 1.2341 s"))
        self.assertFalse(console.is_like("a  1.234 s", "a 1.26 s"))
        self.assertFalse(console.is_like("a  1.234 s", "a 1.234 m"))

    def test_lines_are_left_out_only_where_the_page_says_so(self):
        self.assertIsNotNone(console.find_difference(["a 1.000", "c"], ["a 1.000", "b", "c"]))
        self.assertIsNotNone(console.find_difference(["a 1.000"], ["a 1.000", "b"]))
        self.assertIsNone(console.find_difference(["a 1.000", "...", "c"], ["a 1.000", "b", "c"]))


if __name__ == "__main__":
    unittest.main()
