"""Export of a recording as a test that runs: its plan, and the programs written from it."""
