"""The tests. CONTRIBUTING.md says which are run when."""

import os
import sys

# Bytecode is written even if the shell forbids it; otherwise every process would spend seconds on compiling the tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
