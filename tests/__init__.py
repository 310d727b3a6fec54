"""The tests. CONTRIBUTING.md says which are run when."""

import os
import sys

# Compiled tests are kept even where the shell says otherwise: without that, every process spends seconds on compiling them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
