"""The filter, run by hand: what it answers to a system call on each machine."""

import errno
import struct

import pytest

from renderer_app import seccomp

ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOW, KILL = "allow", "kill"
SCRIPT = 2


def answer(machine: str, number: int, *arguments: int, arch: int | None = None) -> str | int:
    """What the filter of `machine` says to a call: allow, kill, or the error number. A small BPF machine."""
    padded = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    data = struct.pack("<iIQ6Q", number, ARCH[machine] if arch is None else arch, 0, *padded)
    steps = list(struct.iter_unpack("<HBBI", seccomp.program(machine, SCRIPT)))
    at = value = 0
    while True:
        code, true, false, k = steps[at]
        at += 1
        match code:
            case 0x20:
                (value,) = struct.unpack_from("<I", data, k)
            case 0x54:
                value &= k
            case 0x15:
                at += true if value == k else false
            case 0x25:
                at += true if value > k else false
            case 0x35:
                at += true if value >= k else false
            case 0x06:
                return {0x7FFF0000: ALLOW, 0x80000000: KILL}.get(k, k & 0xFFFF)
            case _:
                raise AssertionError(f"unknown step {code:#x}")


CALLS = {
    "x86_64": {"read": 0, "openat": 257, "futex": 202, "clone": 56, "clone3": 435, "execve": 59, "socket": 41}
    | {"ptrace": 101, "unshare": 272, "kill": 62, "tgkill": 234, "prlimit64": 302, "mmap": 9, "exit_group": 231},
    "aarch64": {"read": 63, "openat": 56, "futex": 98, "clone": 220, "clone3": 435, "execve": 221, "socket": 198}
    | {"ptrace": 117, "unshare": 97, "kill": 129, "tgkill": 131, "prlimit64": 261, "mmap": 222, "exit_group": 94},
}


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
class TestEachMachine:
    def test_what_a_plot_needs_is_allowed(self, machine):
        for name in ("read", "openat", "futex", "exit_group"):
            assert answer(machine, CALLS[machine][name]) == ALLOW, name

    def test_processes_programs_sockets_and_namespaces_are_refused(self, machine):
        for name in ("clone", "execve", "socket", "ptrace", "unshare"):
            assert answer(machine, CALLS[machine][name]) == errno.EPERM, name

    def test_clone3_does_not_exist_so_that_libraries_fall_back(self, machine):
        assert answer(machine, CALLS[machine]["clone3"]) == errno.ENOSYS

    def test_calls_newer_than_the_table_do_not_exist(self, machine):
        assert answer(machine, 451) == errno.ENOSYS
        assert answer(machine, 100_000) == errno.ENOSYS

    def test_signals_and_limits_reach_only_the_script_itself(self, machine):
        calls = CALLS[machine]
        for name in ("kill", "tgkill"):
            assert answer(machine, calls[name], SCRIPT, 15) == ALLOW
            assert answer(machine, calls[name], 1, 15) == errno.EPERM
            assert answer(machine, calls[name], 0xFFFFFFFF, 15) == errno.EPERM
        assert answer(machine, calls["prlimit64"], 0) == ALLOW
        assert answer(machine, calls["prlimit64"], SCRIPT) == ALLOW
        assert answer(machine, calls["prlimit64"], 1) == errno.EPERM

    def test_shared_memory_without_a_file_is_refused_and_private_memory_is_not(self, machine):
        mmap = CALLS[machine]["mmap"]
        assert answer(machine, mmap, 0, 4096, 3, 0x22) == ALLOW  # private, anonymous
        assert answer(machine, mmap, 0, 4096, 1, 0x01) == ALLOW  # shared, of a file
        assert answer(machine, mmap, 0, 4096, 3, 0x21) == errno.EPERM
        assert answer(machine, mmap, 0, 4096, 3, 0x23) == errno.EPERM

    def test_calls_of_another_machine_kill(self, machine):
        assert answer(machine, 0, arch=0x40000003) == KILL


def test_the_second_set_of_numbers_on_x86_64_kills():
    assert answer("x86_64", 0x40000000 | 57) == KILL


def test_a_refused_call_is_refused_on_every_machine_that_has_it():
    for name, numbers in seccomp._REFUSED.items():
        for machine, number in zip(ARCH, numbers, strict=True):
            if number is not None:
                assert answer(machine, number) == errno.EPERM, (machine, name)


def test_an_unknown_machine_gets_no_filter_and_so_no_script():
    with pytest.raises(seccomp.Unsupported, match="no system-call table for riscv64"):
        seccomp.program("riscv64", SCRIPT)
