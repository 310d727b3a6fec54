"""The tests. CONTRIBUTING.md says which are run when."""

import os
import sys

# Bytecode is written even if the shell forbids it, as compiling the tests takes every process seconds.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
