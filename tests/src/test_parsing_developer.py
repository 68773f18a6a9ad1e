"""Many shapes in which a module reaches us, each as small as it can be, with the one right answer."""

# ruff: noqa: E501, RUF001 - a case is one line, and odd characters are the point of several

import json

import pytest

from src.parsing import FormatError, parse_developer
from src.reply import Reply

ADD = "def add(a, b):\n    return a + b\n"
WRONG = "def add(a, b):\n    return a - b\n"
SUB = "def sub(a, b):\n    return a - b\n"
SLUG = "import re\n\n\ndef slug(text):\n    return re.sub(r'\\W+', '-', text)\n"
HELPER = "def _twice(x):\n    return 2 * x\n"
USES_HELPER = "def four(x):\n    return _twice(_twice(x))\n"
TESTS = "from solution import add\n\n\ndef test_add():\n    assert add(1, 1) == 2\n"
CLASS = "class Box:\n    def __init__(self):\n        self.items = []\n\n    def put(self, item):\n        self.items.append(item)\n"
DOC_FENCE = 'def render():\n    """Show.\n\n```python\nrender()\n```\n    """\n    return 1\n'
DOC_FENCES = 'def one():\n  """A.\n\n  ```\n  one()\n  ```\n  """\n  return 1\n\n\ndef two():\n  """B.\n\n  ```\n  two()\n  ```\n  """\n  return 2\n'
MARKS = "def fence(code):\n    return f'''\n```python\n{code}\n```\n'''\n"


def fence(code: str, tag: str = "python", mark: str = "```") -> str:
    return f"{mark}{tag}\n{code}{mark}\n"


def indent(text: str, by: str = "    ") -> str:
    return "".join(by + line if line.strip() else line for line in text.splitlines(keepends=True))


def numbered(code: str, form: str) -> str:
    return "".join(form.format(n=n, line=line) + "\n" for n, line in enumerate(code.splitlines(), 1))


FOUND = {
    # where the block stands
    "a block in a list item": ("1. First:\n\n" + indent(fence(ADD), "   ") + "2. Done.\n", ADD),
    "a block in a bullet below its text": ("- The code:\n" + indent(fence(ADD), "  "), ADD),
    "a list item whose code is not indented": ("1. Code:\n   ```python\n" + ADD + "   ```\n2. Done.\n", ADD),
    "a block in a quotation": (indent(fence(ADD), "> "), ADD),
    "a quotation that loses its mark on empty lines": (
        "> ```python\n> import os\n\n> def here():\n>     return os.getcwd()\n> ```\n",
        "import os\n\ndef here():\n    return os.getcwd()\n",
    ),
    "a block in a details element": (f"<details>\n<summary>Code</summary>\n\n{fence(ADD)}\n</details>\n", ADD),
    "a block right below a tag": (f"<answer>\n{fence(ADD)}</answer>\n", ADD),
    "an indented block": ("The module:\n\n" + indent(ADD) + "\nThat is all.\n", ADD),
    "a block that is indented as a whole": (indent(fence(ADD)), ADD),
    "a block after a table": (f"| a | b |\n|---|---|\n| 1 | 2 |\n\n{fence(ADD)}", ADD),
    "a block that begins in the middle of a line": (f"Here it is: ```python\n{ADD}```\n", ADD),
    "a closing mark at the end of the code": (f"```python\n{ADD.rstrip()}```\n", ADD),
    "a block on one line": ("```python def one(): return 1```\n", "def one(): return 1\n"),
    "a span in a line of prose": ("Use `def one(): return 1` for that.\n", "def one(): return 1\n"),
    "code between two pieces of prose": (f"Sure, here you go.\n\n{SLUG}\nThis replaces what is no word.\n", SLUG),
    "code with prose right below it": (f"{ADD}This function adds two numbers.\n", ADD),
    "code below a heading": (f"# Answer\n\nMy code:\n\n{ADD}", ADD),
    "code between prose that begins with constants": ("Sure.\n\nN, E = range(2)\n\n\ndef f():\n    return N, E\n\nDone, it works.\n", "N, E = range(2)\n\n\ndef f():\n    return N, E\n"),
    # the fence itself
    "a longer fence": (fence(ADD, mark="````"), ADD),
    "a longer fence around the marks of a shorter one": (fence(MARKS, mark="````"), MARKS),
    "an upper case word": (fence(ADD, "PYTHON"), ADD),
    "the word python3": (fence(ADD, "python3"), ADD),
    "a word with options": (fence(ADD, 'python title="solution.py" linenums="1"'), ADD),
    "a word in braces": (fence(ADD, "{.python .numberLines}"), ADD),
    "a word and a file name": (fence(ADD, "python:src/solution.py"), ADD),
    "a space before the word": (fence(ADD, " python"), ADD),
    "a wrong word": (fence(ADD, "java"), ADD),
    "the word text": (fence(ADD, "text"), ADD),
    "the word plaintext": (fence(ADD, "plaintext"), ADD),
    "a fence of tildes with marks inside": (fence(MARKS, mark="~~~"), MARKS),
    "a fence in a fence without word": ("```\n" + fence(ADD) + "```\n", ADD),
    "the opening mark twice": ("```python\n```python\n" + ADD + "```\n```\n", ADD),
    "a document in a longer fence": (fence("# Done\n\n" + fence(ADD), "markdown", "````"), ADD),
    "a block that is never closed, with the end of the text": (f"```python\n{ADD}", ADD),
    "three quotes for a fence": (f"'''python\n{ADD}'''\n", ADD),
    "fences in a docstring at the start of a line": (fence(DOC_FENCE), DOC_FENCE),
    "fences in docstrings indented by two": (fence(DOC_FENCES), DOC_FENCES),
    "fences in a string": (fence(MARKS), MARKS),
    "an unfenced module with fences in a docstring": (DOC_FENCE, DOC_FENCE),
    "a docstring with fences, then another block": (fence(DOC_FENCE) + "\nRun:\n\n" + fence("pip install x\n", "bash"), DOC_FENCE),
    "invisible characters before the fence": ("\u200b" + fence(ADD), ADD),
    # around the code
    "a button's label": (f"python\nCopy code\n{ADD}", ADD),
    "a button's label in the block": (fence(f"Copy code\n{ADD}"), ADD),
    "a path in the block": (fence(f"src/solution.py\n{ADD}"), ADD),
    "a file name with a colon": (fence(f"solution.py:\n{ADD}"), ADD),
    "a file comment": (fence(f"# file: solution.py\n{ADD}"), f"# file: solution.py\n{ADD}"),
    "a cell magic": (fence(f"%%writefile solution.py\n{ADD}"), ADD),
    "an installation above the code": (fence(f"!pip install requests\n{ADD}"), ADD),
    "a prompt of a shell above the code": (fence(f"$ cat solution.py\n{ADD}"), ADD),
    "an interactive session": (fence(">>> def add(a, b):\n...     return a + b\n...\n>>> add(1, 2)\n3\n", "pycon"), ADD + "\nadd(1, 2)\n"),
    "line numbers with colons": (fence(numbered(ADD, "{n}: {line}")), ADD),
    "line numbers with dots": (fence(numbered(ADD, "{n}. {line}")), ADD),
    "line numbers with tabs": (fence(numbered(ADD, "     {n}\t{line}")), ADD),
    "line numbers in a column": (fence(numbered(SLUG, "{n:>3}  {line}")), SLUG),
    "line numbers without fence": (numbered(ADD, "{n:>2} | {line}"), ADD),
    "line numbers with a letter": (fence(numbered(ADD, "L{n}: {line}")), ADD),
    # characters
    "marks of writing direction": (fence("\u202a" + ADD), ADD),
    "lone carriage returns": (fence(ADD).replace("\n", "\r"), ADD),
    "a mark at the start": ("\ufeff" + fence(ADD), ADD),
    "a mark inside the block": (fence("\ufeff" + ADD), ADD),
    "a zero-width space in the code": (fence(ADD.replace("a, b", "a,\u200b b")), ADD),
    "null bytes": (fence(ADD).replace("def", "d\0ef"), ADD),
    "wide punctuation": (fence("def add（a，b）：\n    return a + b\n"), "def add(a,b):\n    return a + b\n"),
    "single curly quotes": (fence("def hi():\n    return ‘hi’\n"), "def hi():\n    return 'hi'\n"),
    "curly quotes inside a string stay": (fence("def hi():\n    return '“hi”'\n"), "def hi():\n    return '“hi”'\n"),
    "entities inside strings stay": (
        fence("def esc(s):\n    return s.replace('&', '&amp;').replace('<', '&lt;')\n"),
        "def esc(s):\n    return s.replace('&', '&amp;').replace('<', '&lt;')\n",
    ),
    "entities for quotes": (fence("def hi():\n    return &quot;hi&quot;\n"), 'def hi():\n    return "hi"\n'),
    "escaped underscores in a block": (fence("def to\\_up(s):\n    return s.upper()\n"), "def to_up(s):\n    return s.upper()\n"),
    "escaped newlines in quotes": (json.dumps(SLUG), SLUG),
    "a form feed between functions": (fence(ADD + "\f\n" + SUB), ADD + "\f\n" + SUB),
    "an invalid escape in a string": (fence("import re\n\nP = re.compile('\\d+')\n\n\ndef f(s):\n    return P.findall(s)\n"), "import re\n\nP = re.compile('\\d+')\n\n\ndef f(s):\n    return P.findall(s)\n"),
    "names that are not ASCII": (fence("def größe(x):\n    return len(x)\n"), "def größe(x):\n    return len(x)\n"),
    "a first line that lost its indentation": (fence("import os\n    def f():\n        return os.sep\n"), "import os\ndef f():\n    return os.sep\n"),
    # wrappers
    "JSON with other keys": (json.dumps({"thoughts": "easy", "solution": ADD}), ADD),
    "JSON with a fenced string": (json.dumps({"answer": "Here:\n" + fence(ADD)}), ADD),
    "JSON with real line breaks": ('{"code": "' + ADD + '"}', ADD),
    "JSON with lines": (json.dumps({"code": ADD.splitlines()}), ADD),
    "JSON with files": (json.dumps({"files": [{"path": "solution.py", "content": ADD}, {"path": "README.md", "content": "# Hi"}]}), ADD),
    "JSON with files by name": (json.dumps({"test_solution.py": TESTS, "solution.py": ADD}), ADD),
    "JSON in JSON": (json.dumps({"name": "write", "arguments": json.dumps({"path": "solution.py", "code": ADD})}), ADD),
    "JSON after prose": ("Here is the call:\n" + json.dumps({"tool": "write", "input": {"text": ADD}}), ADD),
    "a Python literal": (repr({"code": ADD}), ADD),
    "a literal with three quotes": ('{"code": """' + ADD + '"""}', ADD),
    "a notebook": (json.dumps({"cells": [{"cell_type": "code", "source": ["import re\n"]}, {"cell_type": "code", "source": ["def f(s):\n", "    return re.escape(s)\n"]}]}), "import re\n\n\ndef f(s):\n    return re.escape(s)\n"),
    "an element": (f"<code>\n{ADD}</code>\n", ADD),
    "an element with a language": (f'<code language="python">{ADD}</code>\n', ADD),
    "an element with a fence": (f"<solution>\n\n{fence(ADD)}\n</solution>\n", ADD),
    "character data": (f"<file path='solution.py'><![CDATA[\n{ADD}]]></file>\n", ADD),
    "an element with entities": ("<pre><code>def less(a, b):\n    return a &lt; b\n</code></pre>\n", "def less(a, b):\n    return a < b\n"),
    "a call as elements": (f"<function=write>\n<parameter=path>\nsolution.py\n</parameter>\n<parameter=code>\n{ADD}</parameter>\n</function>\n", ADD),
    "a call in an element": ("<tool_call>\n" + json.dumps({"name": "run", "arguments": {"code": ADD}}) + "\n</tool_call>\n", ADD),
    "square marks": (f"[PYTHON]\n{ADD}[/PYTHON]\n", ADD),
    "LaTeX": (f"\\begin{{verbatim}}\n{ADD}\\end{{verbatim}}\n", ADD),
    "reStructuredText": (f"The code::\n\n.. code-block:: python\n\n{indent(ADD)}\nDone.\n", ADD),
    "lines of signs around the code": (f"=== solution.py ===\n{ADD}=== end ===\n", ADD),
    # thinking
    "a tag of another name": (f"<reasoning>\n{fence(WRONG)}</reasoning>\n{fence(ADD)}", ADD),
    "thinking in square brackets": (f"[THINK]minus? {WRONG}[/THINK]{fence(ADD)}", ADD),
    "channels": (f"<|channel|>analysis<|message|>{WRONG}<|end|><|start|>assistant<|channel|>final<|message|>{fence(ADD)}<|return|>", ADD),
    "thinking with a fence that is never closed": (f"<think>\n```python\n{WRONG}\nhm\n</think>\n{fence(ADD)}", ADD),
    "two thoughts": (f"<think>a</think>\n<think>{WRONG}</think>\n{fence(ADD)}", ADD),
    "a thinking tag in a string of the code": (
        fence("def cut(s):\n    return s.split('</think>')[-1].replace('<think>', '')\n"),
        "def cut(s):\n    return s.split('</think>')[-1].replace('<think>', '')\n",
    ),
    "a tag at the end of the text": (fence(ADD) + "<|im_end|>", ADD),
    # several blocks
    "an example before the module": (f"Usage:\n\n{fence('print(add(1, 2))')}\nModule:\n\n{fence(ADD)}", ADD),
    "tests before the module": (fence(TESTS) + "\n" + fence(ADD), ADD),
    "tests that define a helper": (fence(ADD) + "\n" + fence(TESTS.replace("def test", "def make():\n    return 1\n\n\ndef test")), ADD),
    "output after the module": (f"{fence(ADD)}\nOutput:\n\n{fence('3', 'text')}", ADD),
    "a shell block before the module": (fence("pip install x\n", "bash") + "\n" + fence(ADD), ADD),
    "settings beside the module": (fence("DEBUG = 1\n", "ini") + "\n" + fence(ADD), ADD),
    "another language beside it": (fence(ADD) + "\n" + fence("function add(a, b) {\n  return a + b;\n}\n", "javascript"), ADD),
    "an example with a main function": (fence(ADD) + "\nExample:\n\n" + fence("from solution import add\n\n\ndef main():\n    print(add(1, 2))\n\n\nmain()\n"), ADD),
    "before and after": (f"Before:\n\n{fence(WRONG)}\nAfter:\n\n{fence(ADD)}", ADD),
    "after and before": (f"Fixed version:\n\n{fence(ADD)}\nThe original version, for reference:\n\n{fence(WRONG)}", ADD),
    "an alternative at the end": (f"{fence(ADD)}\nAlternatively (not recommended):\n\n{fence(WRONG)}", ADD),
    "imports in a block of their own": (fence("import re\n") + "\nThen:\n\n" + fence("def esc(s):\n    return re.escape(s)\n"), "import re\n\n\ndef esc(s):\n    return re.escape(s)\n"),
    "a helper in a block of its own": (fence(HELPER) + "\nand\n\n" + fence(USES_HELPER), HELPER + "\n\n" + USES_HELPER),
    "a helper that comes later": (fence(USES_HELPER) + "\nwith\n\n" + fence(HELPER), USES_HELPER + "\n\n" + HELPER),
    "two functions in two blocks": (fence(ADD) + "\nand\n\n" + fence(SUB), ADD + "\n\n" + SUB),
    "a repeated excerpt": (fence(ADD + "\n\n" + SUB) + "\nThe key part:\n\n" + fence(ADD), ADD + "\n\n" + SUB),
    "a signature before the module": ("Signature:\n\n" + fence("def add(a, b): ...\n") + "\n" + fence(ADD), ADD),
    "a draft in one block and the whole in the next": (fence("def add(a, b):\n    # ... existing code ...\n    return\n") + "\n" + fence(ADD), ADD),
    "a broken draft": (fence("def add(a, b:\n    return a\n") + "\nCorrected:\n\n" + fence(ADD), ADD),
    "a module cut in two by its fences": ("```python\ndef add(a, b):\n    total = (a +\n```\ncontinued\n```python\n             b)\n    return total\n```\n", "def add(a, b):\n    total = (a +\n             b)\n    return total\n"),
    "a module with files around it": (f"requirements.txt\n```\npytest\n```\nsolution.py\n{fence(ADD)}conftest.py\n{fence('import pytest')}", ADD),
    "a module and its tests in one block": (fence("# solution.py\n" + ADD + "\n\n# test_solution.py\n" + TESTS), "# solution.py\n" + ADD),
    "a class that goes on in the next block": (fence("class A:\n    def a(self):\n        return 1\n") + "then\n" + fence("    def b(self):\n        return 2\n"), "class A:\n    def a(self):\n        return 1\n\n    def b(self):\n        return 2\n"),
    "a file written by a shell": (fence("cat > solution.py <<'EOF'\n" + ADD + "EOF\n", "bash"), ADD),
    "a plain YAML value": ("why: |\n  adds\ncode: |\n" + indent(ADD, "  "), ADD),
    "a second turn of a made-up talk": (fence(ADD) + "<|im_end|>\n", ADD),
    # the module itself
    "a function as a lambda": (fence("add = lambda a, b: a + b\n"), "add = lambda a, b: a + b\n"),
    "a constant is no usage": (fence("LIMIT = 3\n\n\n" + ADD), "LIMIT = 3\n\n\n" + ADD),
    "a class": (fence(CLASS), CLASS),
    "an abstract class": (fence("from abc import ABC\n\n\nclass A(ABC):\n    def f(self): ...\n\n\ndef make():\n    return A()\n"), "from abc import ABC\n\n\nclass A(ABC):\n    def f(self): ...\n\n\ndef make():\n    return A()\n"),
    "a class of errors": (fence("class Bad(Exception):\n    pass\n\n\ndef f():\n    raise Bad\n"), "class Bad(Exception):\n    pass\n\n\ndef f():\n    raise Bad\n"),
    "an ellipsis as a value": (fence("def f(x=...):\n    return x is ...\n"), "def f(x=...):\n    return x is ...\n"),
    "comments with dots": (fence("def f(x):\n    # wait...\n    return x  # and so on ...\n"), "def f(x):\n    # wait...\n    return x  # and so on ...\n"),
    "dots inside a longer comment": (fence("def f(x):\n    # one\n    # ...\n    # many\n    return x\n"), "def f(x):\n    # one\n    # ...\n    # many\n    return x\n"),
    "a comment that goes on after dots": (fence("def f(x):\n    # ...in order to have more to say\n    return x\n"), "def f(x):\n    # ...in order to have more to say\n    return x\n"),
    "a comment about order": (fence("def f(x):\n    # the order remains unchanged\n    return x\n"), "def f(x):\n    # the order remains unchanged\n    return x\n"),
    "a section comment": (fence("def f(x):\n    return x\n\n\n# Other functions\ndef g(x):\n    return x\n"), "def f(x):\n    return x\n\n\n# Other functions\ndef g(x):\n    return x\n"),
    "an apology before the module": (f"I'm sorry for the mistake. I can't believe I missed it.\n\n{fence(ADD)}", ADD),
}  # fmt: skip

REJECTED = {
    "nothing but thinking": ("<think>\nhm\n</think>\n", "empty"),
    "thinking that never ends": (f"<think>\nMaybe\n{fence(WRONG)}", "empty"),
    "only the analysis channel": (f"<|channel|>analysis<|message|>{fence(ADD)}", "empty"),
    "invisible characters only": ("\ufeff\u200b \r\n", "empty"),
    "prose": ("The function adds two numbers.", "no_code"),
    "a shell block": (fence("pytest -q\n", "bash"), "no_code"),
    "only an example": (fence("from solution import add\nprint(add(1, 2))\n"), "no_code"),
    "only tests": (fence(TESTS), "no_code"),
    "only a session with the module": (fence(">>> add(1, 2)\n3\n"), "no_code"),
    "only settings": (fence("[tool]\nx = 1\n", "toml"), "no_code"),
    "another language": (fence("function add(a, b) { return a + b; }\n", "javascript"), "no_code"),
    "a refusal": ("I cannot help with this request.", "refusal"),
    "a refusal in other words": ("I won't be able to write that.", "refusal"),
    "a refusal with a curly apostrophe": ("I’m sorry, but I can’t do that.", "refusal"),
    "a block cut in the middle": ("```python\ndef add(a, b):\n    return (a +", "truncated"),
    "a block cut in a string": ('```python\ndef add(a, b):\n    """Add', "truncated"),
    "a block cut after a colon": ("```python\ndef add(a, b):\n", "truncated"),
    "JSON cut in the middle": ('{"code": "def add(a, b):\\n    retu', "no_code"),
    "Python 2": (fence("def add(a, b):\n    print a + b\n"), "not_python"),
    "a fault in the middle": (fence(ADD + "\n\ndef sub(a, b)\n    return a - b\n\n\ndef mul(a, b):\n    return a * b\n"), "not_python"),
    "a fault in the middle without fence": (ADD + "\n\ndef sub(a, b)\n    return a - b\n\n\ndef mul(a, b):\n    return a * b\n", "not_python"),
    "a return outside a function": (fence("def add(a, b):\n    return a\nreturn 1\n"), "not_python"),
    "only signatures": (fence("def add(a, b):\n    ...\n\n\ndef sub(a, b):\n    pass\n"), "elided"),
    "only docstrings": (fence('class A:\n    def f(self):\n        """Do it."""\n'), "elided"),
    "a body to be written": (fence("def add(a, b):\n    # your code here\n    pass\n"), "elided"),
    "existing code": (fence(ADD + "\n\n# ...existing code...\n"), "elided"),
    "the rest as before": (fence(ADD + "\n\n# rest of the code remains unchanged\n"), "elided"),
    "other methods": (fence(CLASS + "\n    # ... other methods ...\n"), "elided"),
    "other methods without dots": (fence(CLASS + "\n    # other methods unchanged\n"), "elided"),
    "bare dots at top level": (fence(ADD + "\n\n...\n"), "elided"),
    "bare dots in a class": (fence(CLASS + "\n    ...\n"), "elided"),
    "a comment of dots": (fence(ADD + "\n\n# ...\n"), "elided"),
    "a method without its class": (fence("    def put(self, item):\n        self.items.append(item)\n"), "elided"),
    "a diff without a file to change": (fence("@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n", "diff"), "diff"),
    "the same statement without end": (fence("def f(x):\n" + "    x = x + 1\n" * 80), "degenerate"),
    "the same sentence without end": ("I will write the code now.\n" * 200, "degenerate"),
    "too much text": ("a line of prose\n" * 60_000, "too_long"),
}  # fmt: skip


@pytest.mark.parametrize("name", FOUND)
def test_the_module_is_found_in(name: str) -> None:
    text, code = FOUND[name]
    assert parse_developer(Reply(text, "complete")) == code


@pytest.mark.parametrize("name", REJECTED)
def test_there_is_no_module_in(name: str) -> None:
    text, kind = REJECTED[name]
    with pytest.raises(FormatError) as caught:
        parse_developer(Reply(text, "complete"))
    assert caught.value.kind == kind
    assert len(caught.value.reason) < 400


def test_a_reply_that_was_cut_off_is_never_code() -> None:
    with pytest.raises(FormatError) as caught:
        parse_developer(Reply(fence(ADD), "truncated"))
    assert caught.value.kind == "truncated"


def test_a_reply_that_was_withheld_is_never_code() -> None:
    with pytest.raises(FormatError) as caught:
        parse_developer(Reply(fence(ADD), "blocked"))
    assert caught.value.kind == "blocked"


NAMED = {
    "the block that defines the name wins over a later one": (fence(ADD) + "\nAlso:\n\n" + fence(SUB), {"add"}, ADD),
    "a constant may be asked for": (fence("LIMIT = 3\n"), {"LIMIT"}, "LIMIT = 3\n"),
    "a name may come from the standard library": (
        fence("from math import sqrt\n\nROOT = sqrt(2)\n"), {"sqrt", "ROOT"}, "from math import sqrt\n\nROOT = sqrt(2)\n"
    ),
    "a name may be bound in a branch": (
        fence("try:\n    import fast as impl\nexcept ImportError:\n    def impl():\n        return 1\n"),
        {"impl"},
        "try:\n    import fast as impl\nexcept ImportError:\n    def impl():\n        return 1\n",
    ),
    "two blocks that together define the names are joined": (fence(ADD) + "\n" + fence(SUB), {"add", "sub"}, ADD + "\n\n" + SUB),
    "an example that calls a function of the name is not it": (
        fence(ADD) + "\n" + fence("from solution import add\n\n\ndef demo():\n    return add(1, 2)\n"), {"add"}, ADD
    ),
    "a do-nothing function beside the named ones stays": (
        fence(ADD + "\n\ndef quiet():\n    pass\n"), {"add"}, ADD + "\n\ndef quiet():\n    pass\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", NAMED)
def test_names_decide(rule: str) -> None:
    text, names, code = NAMED[rule]
    assert parse_developer(Reply(text, "complete"), names) == code


@pytest.mark.parametrize(
    ("text", "names", "kind"),
    [
        (fence(ADD), {"add", "sub"}, "missing_names"),
        (fence("from solution import add\n\n\ndef other():\n    return add(1, 2)\n"), {"add"}, "missing_names"),
        (fence(ADD + "\n\ndef sub(a, b):\n    pass\n"), {"add", "sub"}, "elided"),
        (fence(ADD + "\n\ndef sub(a, b):\n    raise NotImplementedError\n"), {"sub"}, "elided"),
    ],
)
def test_a_module_without_a_wanted_name_is_refused(text: str, names: set[str], kind: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_developer(Reply(text, "complete"), names)
    assert caught.value.kind == kind
    assert any(name in caught.value.reason for name in names)


def test_the_reason_for_broken_code_names_the_line() -> None:
    with pytest.raises(FormatError, match=r"line 2: `print a`"):
        parse_developer(Reply(fence("def f(a):\n    print a\n"), "complete"))
