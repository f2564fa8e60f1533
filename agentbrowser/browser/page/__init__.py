"""Pages: frames, navigation, dialogs, downloads, storage, emulation, scripts."""
