"""Who may sweep what."""

import os
import subprocess
import sys

import pytest

from sandbox.owner import is_dead, new_owner


def test_we_are_alive() -> None:
    assert not is_dead(new_owner())


def test_two_owners_of_one_process_differ() -> None:
    assert new_owner() != new_owner()


def test_a_process_that_ended_is_dead() -> None:
    code = "from sandbox.owner import new_owner; print(new_owner())"
    owner = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()

    assert is_dead(owner)


def test_a_process_that_took_over_the_number_of_another_does_not_keep_its_containers() -> None:
    host, pid, start, tail = new_owner().split(".")

    assert pid == str(os.getpid())
    assert is_dead(f"{host}.{pid}.{start}0.{tail}")


@pytest.mark.parametrize("owner", ["", "nonsense", "a.b.c.d", "0123456789abcdef.1.1.x", "0123456789abcdef.1"])
def test_in_doubt_nobody_is_dead(owner: str) -> None:
    assert not is_dead(owner)
