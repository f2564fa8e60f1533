"""Live view: persons watch sessions in a browser, take pages over, and answer approval requests."""
