"""How fast are we, and how much does a model have to read, against the tools that agents use today?"""
