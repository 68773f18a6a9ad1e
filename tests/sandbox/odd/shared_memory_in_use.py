"""Shares memory and locks among processes.

expect: passed
within: 1
"""
# --- module ---
import multiprocessing


def work(total, number):
    with total.get_lock():
        total.value += number


def double(number):
    context = multiprocessing.get_context("fork")
    total = context.Value("i", 0)
    workers = [context.Process(target=work, args=(total, number)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return total.value
