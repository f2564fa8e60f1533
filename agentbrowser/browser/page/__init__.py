"""Pages: frames, navigation, dialogs, storage, emulation, scripts."""
