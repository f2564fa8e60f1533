"""The reader of looks and the choice of targets that the scripted agent uses."""
