"""Engine: one Playwright driver and one Chromium, from launch to clean-up."""
