"""Runs an event loop with tasks, locks and time limits.

expect: passed
within: 1
"""
# --- module ---
import asyncio


async def half(queue, number):
    await asyncio.sleep(0)
    await queue.put(number)


async def doubled(number):
    queue = asyncio.Queue()
    await asyncio.gather(half(queue, number), half(queue, number))
    return await asyncio.wait_for(queue.get(), 5) + await queue.get()


def double(number):
    return asyncio.run(doubled(number))
