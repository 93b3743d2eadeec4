#!/usr/bin/env python3
"""A terminal for one program. Standard library only; Linux and macOS.

One JSON object a line. Read from stdin:
  {"op": "spawn", "argv": [...], "env": {...}, "cwd": "...", "rows": 40, "cols": 120, "answers": [["<regex>", "<reply>"]]}
      "answers": what this terminal replies to which question, latin1; {1} in a reply is the regex's first group
  {"op": "write", "data": "<base64>"}    {"op": "resize", "rows": 40, "cols": 120}
  {"op": "signal", "number": 15}
Written to stdout:
  {"ev": "spawned", "pid": 1}    {"ev": "output", "data": "<base64>"}    {"ev": "exit", "code": 0, "signal": null}
When stdin ends, the program is killed.
"""
import base64
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import termios

LONGEST_QUESTION = 256


def say(**event):
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def set_size(fd, rows, cols):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


def spawn(order):
    pid, fd = pty.fork()
    if pid == 0:
        try:
            os.chdir(order["cwd"])
            os.execve(order["argv"][0], order["argv"], order["env"])
        except OSError as error:
            os.write(2, str(error).encode())
        os._exit(127)
    set_size(fd, order.get("rows", 40), order.get("cols", 120))
    say(ev="spawned", pid=pid)
    return pid, fd


class Terminal:
    def __init__(self, order):
        self.answers = [(re.compile(asked.encode("latin1")), reply.encode("latin1")) for asked, reply in order["answers"]]
        self.pid, self.fd = spawn(order)
        self.tail = b""

    def obey(self, order):
        op = order["op"]
        if op == "write":
            os.write(self.fd, base64.b64decode(order["data"]))
        elif op == "resize":
            set_size(self.fd, order["rows"], order["cols"])
            os.kill(self.pid, signal.SIGWINCH)
        elif op == "signal":
            os.kill(self.pid, order["number"])

    def read(self):
        """False when the program has closed its side."""
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        if not data:
            return False
        say(ev="output", data=base64.b64encode(data).decode())
        self.answer(self.tail + data)
        return True

    def answer(self, seen):
        """In the order of the questions, each once, also where one comes in two pieces."""
        found = [(asked, reply) for pattern, reply in self.answers for asked in [*pattern.finditer(seen)]]
        for asked, reply in sorted(found, key=lambda one: one[0].start()):
            os.write(self.fd, reply.replace(b"{1}", b"".join(asked.groups()[:1])))
        answered = max((asked.end() for asked, _ in found), default=0)
        self.tail = seen[answered:][-LONGEST_QUESTION:]

    def ended(self):
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid == 0:
            return False
        by_signal = os.WIFSIGNALED(status)
        say(
            ev="exit",
            code=None if by_signal else os.WEXITSTATUS(status),
            signal=os.WTERMSIG(status) if by_signal else None,
        )
        return True


def main():
    terminal, unread, open_fd = None, b"", True
    while True:
        watched = [0] + ([terminal.fd] if terminal and open_fd else [])
        ready = select.select(watched, [], [], 0.05)[0]
        if terminal and terminal.fd in ready:
            open_fd = terminal.read()
            continue  # everything it printed goes out before its end is told
        if terminal and terminal.ended():
            return
        if 0 not in ready:
            continue
        data = os.read(0, 65536)
        if not data:
            if terminal:
                os.kill(terminal.pid, signal.SIGKILL)
                os.waitpid(terminal.pid, 0)
            return
        *lines, unread = (unread + data).split(b"\n")
        for line in lines:
            order = json.loads(line)
            if order["op"] == "spawn":
                terminal = Terminal(order)
            else:
                terminal.obey(order)


main()
