"""Characters that nobody sees although Python calls them printable. Looks and results for models escape them.

It has a module of its own as the browser side writes looks, and clients write results of tools.
"""

from typing import Final

UNSEEN: Final = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef"
"""Members of a set of a regular expression: letters that look like blanks, with which a word looks like a sentence,
and marks without a picture, such as variation selectors, rows of which hold hidden words. U+FE0F is not one of them:
emojis need it.
"""
