"""literals.py ROOT: sentences in the source that name a key or, in core, an option.

A key's name in a sentence goes stale when the user binds another one: it is written {action}, which
keymap_expand replaces. core has no keys or options to name. Prints FILE:LINE: SENTENCE; status 1 if any.
"""
import pathlib
import re
import sys

STRING = r'"((?:[^"\\\n]|\\.)*)"'
# A default key as a word: one character, or a name. "a", "I", the unit s, the marks ~ > * and numbers are
# words of other kinds: those only in parentheses, or where a key stands.
KEY = re.compile(r"(?:^|[\s(])(?:[kjgGulnNfFHmTciyOwLtbZRCxpWoqQh/?]|F[1-9]|Esc|Enter|Tab|Space|Backspace|"
                 r"Pg(?:Up|Dn)|Home|End|Up|Down|Left|Right|Ctrl-\w)(?=[\s).,;]|$)|"
                 r"\bpress [0-9aIs]\b|\([0-9Is]\)|[;:] [0-9Is] [a-z]")
# wsntop's own; a compiler's (-g, -pg) are what the fact is about.
OPTION = re.compile(r"(?:^|[\s(;,])(?:--(?:baseline|cluster|per-site|baud|format|export|record|elf)|-[pefbBrx]|"
                    r"wsntop doctor)(?=[\s=).,;]|$)")
# Keys that are not the key map's: a prompt's, a menu's, a dialog's own.
FIXED = [
    r"Send \(%s at the end, Tab changes\):",
    r"(from the command line; )?Enter removes it",
    r"J K",				# the dialog of columns
    r"usage: wsntop .*|.*an image is given with -e|.*an image with -e",	# of the command line
    r"%llu d %llu h", r".*%d h %d min.*",	# days, hours
    r".*<style>.*",			# of a page
    r"o average .*", r"(?:\\n)?Exit status: .*",
    r"press a key",
    r"Reads a source to its end, .*",	# help of a command
    r".*a power meter; give it with --power.*",	# likewise
    r".* / ~?(?:sum|hz|calls|seconds|all)\b.*",	# the formula of a figure
    r"d=\$1; .*",			# a script
    r".* / \{ chosen .*",		# a devicetree
    r".* \(1\)",			# an option that is 1 where it is not given
]


def literals(path):
    text = path.read_text()
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)
    for m in re.finditer(STRING + r"(?:\s*" + STRING + ")*", text):
        yield text.count("\n", 0, m.start()) + 1, "".join(re.findall(STRING, m.group(0)))


def is_wrong(path, sentence):
    # "An i behind a line's number" is a mark.
    if " " not in sentence or not re.search("[a-z]", sentence) or path.parts[1] == "doctor":
        return False
    if any(re.fullmatch(f, sentence, re.S) for f in FIXED):
        return False
    if KEY.search(sentence.replace("An i behind", "")):
        return True
    return path.parts[0] == "core" and OPTION.search(sentence)


def main():
    root = pathlib.Path(sys.argv[1])
    found = 0
    for folder in "core", "tui":
        for path in sorted((root / folder).rglob("*.c")):
            for line, sentence in literals(path):
                if is_wrong(path.relative_to(root), sentence):
                    print(f"{path.relative_to(root)}:{line}: {sentence}")
                    found = 1
    return found


sys.exit(main())
