"""An assistant that works through unread mail and sends nothing by itself: `python -m examples.inbox`."""
