"""Speed and trust, measured side by side with what a user would pick instead."""
