"""A script stays one process: it starts nothing, touches nobody, and gets no further into the kernel."""

import pytest

from tests.attack.conftest import reached

pytestmark = pytest.mark.sandbox

PRINT = "[sys.executable, '-c', 'print(\"REACHED\")']"
CHILD = "    os.write(1, b'REACHED\\n')\n    os._exit(0)\nos.wait()\n"
STARTS = {
    "fork": "import os\nif os.fork() == 0:\n" + CHILD,
    "subprocess": f"import subprocess, sys\nsubprocess.run({PRINT})\n",
    "shell": "import os\nos.system('echo REACHED')\n",
    "posix_spawn": f"import os, sys\npid = os.posix_spawn(sys.executable, {PRINT}, {{}})\nos.waitpid(pid, 0)\n",
    "multiprocessing": "import multiprocessing as m\n"
    "p = m.get_context('fork').Process(target=print, args=('REACHED',))\np.start()\np.join()\n",
    "exec": f"import os, sys\nos.execv(sys.executable, {PRINT})\n",
    "thread": "import threading\nt = threading.Thread(target=print, args=('REACHED',))\nt.start()\nt.join()\n",
    "libc fork": "import ctypes, os\nif ctypes.CDLL(None).fork() == 0:\n" + CHILD,
    "libc clone": "import ctypes, os\nclone = 56 if os.uname().machine == 'x86_64' else 220\n"
    "if ctypes.CDLL(None).syscall(clone, 17, 0, 0, 0, 0) == 0:\n" + CHILD,
}


def test_nothing_can_be_started(confined_each, bare):
    assert [way for way, code in STARTS.items() if not reached(bare(code))] == []
    assert [way for way, printed in confined_each(STARTS).items() if reached(printed)] == []


def test_a_fork_bomb_is_one_process(confined):
    # No control: bare, it would be a fork bomb.
    bomb = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n"
    result = confined(bomb, wall_s=1)
    assert result.reason == "timeout"


OTHERS = {
    "signal": "import os, signal\nos.kill(os.getppid(), 0)\nprint('REACHED')\n",
    "limits": "import os, resource\nresource.prlimit(os.getppid(), resource.RLIMIT_NOFILE)\nprint('REACHED')\n",
    "priority": "import os\nwho = os.PRIO_PROCESS, os.getppid()\nos.setpriority(*who, os.getpriority(*who))\n"
    "print('REACHED')\n",
}


def test_the_parent_process_cannot_be_touched(confined_each, bare):
    assert [way for way, code in OTHERS.items() if not reached(bare(code))] == []
    assert [way for way, printed in confined_each(OTHERS).items() if reached(printed)] == []


def test_the_collectors_memory_cannot_be_read(confined_each, bare):
    code = "open('/proc/{who}/{name}', 'rb').close()\nprint('REACHED')\n"
    names = ("mem", "environ", "maps")
    # Bare: the process itself, whose parent may belong to somebody else.
    assert [name for name in names if not reached(bare(code.format(who="self", name=name)))] == []
    found = confined_each({name: code.format(who=1, name=name) for name in names})
    assert [name for name, printed in found.items() if not printed.startswith("PermissionError")] == []


def test_every_signal_to_everybody_hurts_only_the_script(confined):
    # No control: bare, it would end the machine's processes.
    code = "import os\nfor n in (9, 15, 19):\n    try:\n        os.kill(-1, n)\n"
    code += "    except PermissionError:\n        print('no')\n"
    assert confined(code).output == "no\nno\nno"


KERNEL = {
    "unshare": "libc.unshare(0x10000000)",
    "mount": "libc.mount(b'none', b'/scratch', b'tmpfs', 0, None)",
    "ptrace": "libc.ptrace(0, 0, 0, 0)",
    "memfd": "libc.memfd_create(b'x', 0)",
    "keyctl": "libc.syscall(250 if x86 else 219, 0, -3, 0)",
    "setns": "libc.setns(0, 0)",
    "bpf": "libc.syscall(321 if x86 else 280, 0, 0, 0)",
    "perf": "libc.syscall(298 if x86 else 241, 0, 0, -1, -1, 0)",
    "userfaultfd": "libc.syscall(323 if x86 else 282, 0)",
    "io_uring": "libc.syscall(425, 1, ctypes.byref(ctypes.create_string_buffer(200)))",
    "process_vm_readv": "libc.syscall(310 if x86 else 270, 1, 0, 0, 0, 0, 0)",
}
CALL = "import ctypes, os\nx86 = os.uname().machine == 'x86_64'\nlibc = ctypes.CDLL(None, use_errno=True)\nr = {call}\n"
CALL += "print('REACHED' if r >= 0 else ctypes.get_errno())\n"


def test_doors_into_the_kernel_are_shut_by_the_filter(confined_each):
    found = confined_each({name: CALL.format(call=call) for name, call in KERNEL.items()})
    assert found == dict.fromkeys(KERNEL, "1")  # EPERM, whatever the arguments


def test_some_of_these_doors_are_open_without_the_filter(bare):
    for name in ("memfd", "ptrace"):
        assert reached(bare(CALL.format(call=KERNEL[name]))), name


def test_a_script_has_no_capability_and_can_gain_none(confined):
    code = "facts = [line.split() for line in open('/proc/self/status')]\n"
    code += "print([fact[1] for fact in facts if fact[0].startswith(('Cap', 'NoNew', 'Seccomp:'))])\n"
    assert confined(code).output == repr(["0" * 16] * 5 + ["1", "2"])


def test_a_script_is_nobody_in_particular(confined):
    assert confined("import os\nprint(os.getuid(), os.getgid(), os.getgroups())\n").output.startswith("1000 1000 ")
