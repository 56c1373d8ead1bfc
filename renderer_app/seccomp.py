"""The system-call filter of a render: what the script's process may no longer ask of the kernel.

Runs inside the sandbox, in the script's process, after the first imports and before the script. Standard
library only. The namespaces are the wall; this filter takes away the tools to dig: no new process, no
program, no socket, no look into another process, no new namespace, no memory that the watchdog can't see.
An unknown machine fails closed.
"""

import ctypes
import errno
import os
import platform
import struct

PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2

_KILL = 0x80000000  # SECCOMP_RET_KILL_PROCESS
_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000

# struct seccomp_data: nr, arch, instruction pointer, six arguments (little-endian low halves).
_NR, _ARCH = 0, 4
_ARGUMENT = (16, 24, 32, 40, 48, 56)
_LOAD, _AND, _JEQ, _JGT, _JGE, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x35, 0x06

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000
_SHARED_ANONYMOUS = 0x21  # MAP_SHARED | MAP_ANONYMOUS: memory that lives on when it is no longer mapped

# Numbers beyond these came after the tables were written; nobody judged them, so they don't exist here.
_NEWEST = {"x86_64": 450, "aarch64": 450}

# name: (x86_64, aarch64); None where the machine has no such call.
_REFUSED: dict[str, tuple[int | None, int | None]] = {
    # new processes and programs
    "fork": (57, None),
    "vfork": (58, None),
    "clone": (56, 220),
    "execve": (59, 221),
    "execveat": (322, 281),
    "uselib": (134, None),
    # sockets
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    "recvfrom": (45, 207),
    "recvmsg": (47, 212),
    "recvmmsg": (299, 243),
    "shutdown": (48, 210),
    "getsockopt": (55, 209),
    "setsockopt": (54, 208),
    "getsockname": (51, 204),
    "getpeername": (52, 205),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # doors into the kernel
    "perf_event_open": (298, 241),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_setup": (206, 0),
    "io_submit": (209, 2),
    "io_destroy": (207, 1),
    "io_getevents": (208, 4),
    "io_cancel": (210, 3),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "seccomp": (317, 277),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "lookup_dcookie": (212, 18),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "nfsservctl": (180, 42),
    "personality": (135, 92),
    "modify_ldt": (154, None),
    "iopl": (172, None),
    "ioperm": (173, None),
    "ustat": (136, None),
    "sysfs": (139, None),
    "_sysctl": (156, None),
    # namespaces and mounts
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "mknod": (133, None),
    "mknodat": (259, 33),
    # memory that outlives its mapping, and so escapes the count
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmdt": (67, 197),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    # other people
    "setuid": (105, 146),
    "setgid": (106, 144),
    "setreuid": (113, 145),
    "setregid": (114, 143),
    "setresuid": (117, 147),
    "setresgid": (119, 149),
    "setgroups": (116, 159),
    "setfsuid": (122, 151),
    "setfsgid": (123, 152),
    "capset": (126, 91),
    # the machine
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "create_module": (174, None),
    "get_kernel_syms": (177, None),
    "query_module": (178, None),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "syslog": (103, 116),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
}
# glibc falls back to `clone`, which is refused with an error that people know.
_ABSENT: dict[str, tuple[int | None, int | None]] = {"clone3": (435, 435)}
# Allowed for the process itself only.
_OWN_PID: dict[str, tuple[int | None, int | None]] = {"kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131)}
_OWN_LIMITS = (302, 261)  # prlimit64
_MMAP = (9, 222)


class Unsupported(Exception):
    """This machine has no table, or the kernel took no filter: nothing may run."""


def _step(code: int, k: int, true: int = 0, false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, true, false, k)


def program(machine: str, pid: int) -> bytes:
    """The filter for `machine` (as `platform.machine()` names it) and a script with process id `pid`.

    Raises Unsupported for a machine without a table.
    """
    if machine not in _AUDIT_ARCH:
        raise Unsupported(f"There is no system-call table for {machine}.")
    column = list(_AUDIT_ARCH).index(machine)
    refuse = _step(_RETURN, _ERRNO | errno.EPERM)
    absent = _step(_RETURN, _ERRNO | errno.ENOSYS)
    steps = [
        _step(_LOAD, _ARCH),
        _step(_JEQ, _AUDIT_ARCH[machine], 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NR),
    ]
    if machine == "x86_64":
        steps += [_step(_JGE, _X32_BIT, 0, 1), _step(_RETURN, _KILL)]
    steps += [_step(_JGT, _NEWEST[machine], 0, 1), absent]
    for table, answer in ((_ABSENT, absent), (_REFUSED, refuse)):
        for numbers in table.values():
            if (number := numbers[column]) is not None:
                steps += [_step(_JEQ, number, 0, 1), answer]
    for numbers in _OWN_PID.values():
        if (number := numbers[column]) is not None:
            # not this call: jump over the four steps that judge its argument
            steps += [
                _step(_JEQ, number, 0, 4),
                _step(_LOAD, _ARGUMENT[0]),
                _step(_JEQ, pid, 0, 1),
                _step(_RETURN, _ALLOW),
                refuse,
            ]
    steps += [
        _step(_JEQ, _OWN_LIMITS[column], 0, 5),
        _step(_LOAD, _ARGUMENT[0]),
        _step(_JEQ, 0, 1, 0),
        _step(_JEQ, pid, 0, 1),
        _step(_RETURN, _ALLOW),
        refuse,
        _step(_JEQ, _MMAP[column], 0, 4),
        _step(_LOAD, _ARGUMENT[3]),
        _step(_AND, _SHARED_ANONYMOUS),
        _step(_JEQ, _SHARED_ANONYMOUS, 0, 1),
        refuse,
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(steps)


def install() -> None:
    """Put the filter on this process, for good. Raises Unsupported when it can't be had."""
    if len(os.listdir("/proc/self/task")) != 1:
        # The filter binds one thread; another would run on without it.
        raise Unsupported("The process has more than one thread.")
    steps = program(platform.machine(), os.getpid())

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_char_p)]

    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise Unsupported("The kernel refused no_new_privs.")
    body = Program(len(steps) // 8, steps)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(body), 0, 0) != 0:
        raise Unsupported(f"The kernel took no system-call filter: {os.strerror(ctypes.get_errno())}.")
