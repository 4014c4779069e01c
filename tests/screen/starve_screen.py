#!/usr/bin/env python3
"""Starts wsntop's screen on a pty again and again, each time with another allocation that fails (tests/tools/faulty).

    starve_screen.py FAULTY.so SAMPLE COMMAND...

COMMAND ends by itself (--for). The Nth run is with its Nth allocation failing, and once more with all after it failing.
SAMPLE 1: all allocations; N: one in N. What has to hold of each run:

- no signal ends it, and it ends; but where curses itself crashes for want of memory (6.4 does, in newterm) that is told;
- the terminal is on its first page again, its modes as they were;
- with a status that is not 0 a line says why, behind the screen, and each line there is one of wsntop's.
"""
import os, pty, re, select, sys, tempfile, termios, time

MOST_S = 300
SEQUENCES = re.compile(rb'\x1b\[[0-9;?>=]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[()][A-Z0-9]|\x1b[=>78]|[\x0e\x0f]')


def run(command, environment):
    """Status (negative: a signal), all that it wrote, whether the terminal's modes are as they were, its process."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    before = termios.tcgetattr(slave)
    pid = os.fork()
    if pid == 0:
        os.setsid()
        import fcntl
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for fd in 0, 1, 2:
            os.dup2(slave, fd)
        os.closerange(3, 100)
        os.execvpe(command[0], command, environment)
    out, status, end = b'', None, time.time() + MOST_S
    while status is None or select.select([master], [], [], 0)[0]:
        if select.select([master], [], [], 0.02)[0]:
            out += os.read(master, 65536)
        if status is None:
            done, code = os.waitpid(pid, os.WNOHANG)
            if done:
                status = os.waitstatus_to_exitcode(code)
            elif time.time() > end:
                os.kill(pid, 9)
                os.waitpid(pid, 0)
                status = -1000
    modes = termios.tcgetattr(slave) == before
    os.close(master)
    os.close(slave)
    return status, out, modes, pid


def crashed_in_curses(pid):
    """The report says so: the place is in curses' code, or in the C library that it called."""
    path = os.path.join(os.environ['XDG_STATE_HOME'], 'wsntop', 'crash-%d.txt' % pid)
    if not os.path.exists(path):
        return False
    text = open(path).read()
    os.unlink(path)
    maps = [(int(a, 16), int(b, 16), name) for a, b, name in
            re.findall(r'^([0-9a-f]+)-([0-9a-f]+) r-xp .* (\S+)$', text, re.M)]
    frames = [int(f, 16) for f in re.findall(r'^ #\d+ (0x[0-9a-f]+)$', text, re.M)]
    names = [name for f in frames for a, b, name in maps if a <= f < b]
    return any('libncursesw' in n or 'libtinfo' in n for n in names)


def wrong(status, out, modes, pid):
    """What does not hold, or None; and how it went."""
    page = out.rfind(b'\x1b[?1049h')
    behind = out[out.rfind(b'\x1b[?1049l') if page >= 0 else 0:]
    lines = [l for l in SEQUENCES.sub(b'', behind).decode(errors='replace').replace('\r', '').split('\n') if l.strip()]
    if status == -1000:
        return 'it does not end'
    if (status < 0 or status > 3) and not crashed_in_curses(pid):
        return 'status %d: %s' % (status, lines)
    if page >= 0 and out.rfind(b'\x1b[?1049l') < page:
        return 'status %d, the terminal is on its other page' % status
    if not modes:
        return 'status %d, the terminal has other modes: %s' % (status, lines)
    if status and not lines:
        return 'status %d, and nothing is said' % status
    for line in lines:      # libtinfo's own, before there is a screen
        if not line.startswith('wsntop: ') and line != '"?", line 0, col 0: Out of memory':
            return 'status %d: said: %s' % (status, lines)
    return None


def main():
    faulty, sample, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    environment = dict(os.environ, LD_PRELOAD=faulty, TERM='xterm-256color', LANG='C.UTF-8')
    with tempfile.NamedTemporaryFile() as count:
        environment.update(FAULTY='alloc=ENOMEM:1000000000', FAULTY_COUNT=count.name)
        status, out, modes, pid = run(command, environment)
        why = wrong(status, out, modes, pid)
        assert status == 0 and not why, (status, why, out[-500:])
        n = int(open(count.name).read().split()[1])
    del environment['FAULTY_COUNT']
    bad, ends, runs = 0, {}, 0
    for at in range(1, n + 1, sample):
        for more in '', '+':
            environment['FAULTY'] = 'alloc=ENOMEM:%d%s' % (at, more)
            status, out, modes, pid = run(command, environment)
            why = wrong(status, out, modes, pid)
            runs += 1
            ends[status] = ends.get(status, 0) + 1
            if why:
                bad += 1
                print('FAILED: %s: %s' % (environment['FAULTY'], why), flush=True)
    print('%d allocations, %d runs: %s' % (n, runs, ', '.join('status %d: %d' % e for e in sorted(ends.items()))))
    sys.exit(bool(bad) or n < 50)


if __name__ == "__main__":
    main()
