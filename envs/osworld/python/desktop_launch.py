"""Starts a desktop on this machine: everything of it in namespaces of its own.

Told by a JSON object in the variable BREWERY_DESKTOP: {"screen": [width, height], "token",
"modules": directory of guest modules, "home": path of a tar file or "",
"home_bytes": most that it may keep in each of its directories}. Standard
output, one line: {"ready": true, "ports": {"server", "chromium", "vlc"}}, on
127.0.0.1, or {"failed": why}. Closing standard input ends the desktop.

Home, /tmp and the X display live in memory of the desktop's mount namespace,
and its processes in its PID namespace, so the kernel removes all of them with
the first process, however that ends, and it ends with whoever started this.
The sockets are bound out here: inside there is no network but a loopback of
its own. As root, the desktop gets a user id of its own.
"""

import ctypes
import json
import os
import shutil
import signal
import socket
import sys

PR_SET_PDEATHSIG = 1
HIGH, LOW, LOW_IDS = 1_500_000_000, 20_000, 40_000
GUEST = "/opt/desktop"
READABLE = ("/etc", "/var/lib/libreoffice", "/var/cache/fontconfig",
            "/var/lib/dbus", "/var/lib/ghostscript", "/sys/devices/system/cpu")
VARIABLES = {
    "PATH": f"{GUEST}/bin:/usr/local/bin:/usr/bin:/bin:/usr/games",
    "HOME": "/home/user", "USER": "user", "LOGNAME": "user",
    "SHELL": "/bin/bash", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC",
    "XDG_RUNTIME_DIR": "/run/user/1000", "XDG_CURRENT_DESKTOP": "GNOME",
    "XDG_SESSION_TYPE": "x11", "PYTHONPATH": f"{GUEST}/lib",
    "PYTHONDONTWRITEBYTECODE": "1", "SAL_USE_VCLPLUGIN": "gtk3",
    "GTK_MODULES": "gail:atk-bridge", "QT_ACCESSIBILITY": "1",
    "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "NO_AT_BRIDGE": "0",
    "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1",
}
# There are no privileges in a desktop, and all that can be changed in it is the
# user's: what is asked of root runs as the user. No password is asked for.
SUDO = """while [ $# -gt 0 ]; do case "$1" in
-u|-g|--user|--group) case "$2" in root|user) shift 2;;
  *) echo "sudo: this desktop has no user $2" >&2; exit 1;; esac;;
-p|-C|-D|-R|-T) shift 2;;
-i|-s) shift; [ $# -gt 0 ] && exec bash -c "$*"; exec bash;;
-v|-k|-K) exit 0;;
--) shift; break;;
-*) shift;;
[A-Za-z_]*=*) export "$1"; shift;;
*) break;;
esac; done
[ $# -gt 0 ] || { echo "usage: sudo COMMAND" >&2; exit 1; }
exec "$@"
"""
# Names by which tasks call programs.
ALIASES = {
    "sudo": SUDO,
    "python": "exec /usr/bin/python3 \"$@\"\n",
    "google-chrome": "exec /usr/bin/chromium --password-store=basic "
                     "--user-data-dir=\"$HOME/.config/google-chrome\" "
                     "--no-first-run --no-default-browser-check "
                     "--force-renderer-accessibility --disable-gpu \"$@\"\n",
}
ALIASES["google-chrome-stable"] = ALIASES["google-chrome"]


def listening():
    """A socket on a port of the kernel's choice, inherited by what is run."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.bind(("127.0.0.1", 0))
    made.listen(64)
    made.set_inheritable(True)
    return made


def ids_known():
    with open("/proc/self/uid_map", encoding="ascii") as lines:
        return max(int(first) + int(count) for first, _, count in
                   (line.split() for line in lines))


def become_own_user():
    """As root: an id that nobody else has, made of this process's number."""
    if os.geteuid() != 0:
        return
    number = os.getpid()
    user = HIGH + number if ids_known() > HIGH + number \
        else LOW + number % LOW_IDS
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    # The kernel forgets this when the user changes.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def data_file(text):
    file = os.memfd_create("guest")
    os.write(file, text.encode())
    os.lseek(file, 0, os.SEEK_SET)
    os.set_inheritable(file, True)
    return str(file)


def root_words(bytes_max):
    """Arguments of bubblewrap: the file system of the desktop."""
    def memory(path, mode):
        return ["--size", str(bytes_max), "--perms", mode, "--tmpfs", path]
    words = ["--ro-bind", "/usr", "/usr"]
    for path in ("/bin", "/sbin", "/lib", "/lib64", "/lib32"):
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            words += ["--ro-bind", path, path]
    for path in READABLE:
        words += ["--ro-bind-try", path, path]
    words += ["--proc", "/proc", "--dev", "/dev",
              *memory("/tmp", "1777"), *memory("/dev/shm", "1777"),
              *memory("/run/user/1000", "0700"),
              *memory("/home/user", "0755")]
    return words


def guest_words(modules):
    """The guest's own programs, and who "user" is."""
    words = []
    for name in sorted(os.listdir(modules)):
        with open(os.path.join(modules, name), encoding="utf-8") as text:
            words += ["--ro-bind-data", data_file(text.read()),
                      f"{GUEST}/lib/{name}"]
    for name, script in ALIASES.items():
        words += ["--perms", "0755", "--ro-bind-data",
                  data_file("#!/bin/sh\n" + script), f"{GUEST}/bin/{name}"]
    words += ["--ro-bind-data", data_file(
        "root:x:0:0:root:/root:/bin/bash\n"
        "user:x:1000:1000:User:/home/user:/bin/bash\n"
        "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"),
        "/etc/passwd"]
    words += ["--ro-bind-data", data_file(
        "root:x:0:\nuser:x:1000:\nnogroup:x:65534:\n"), "/etc/group"]
    return words


def namespaces():
    return ["--unshare-user", "--unshare-ipc", "--unshare-pid",
            "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
            "--uid", "1000", "--gid", "1000", "--hostname", "desktop",
            "--die-with-parent", "--new-session"]


def main():
    asked = json.loads(os.environ["BREWERY_DESKTOP"])
    program = shutil.which("bwrap")
    if program is None:
        print(json.dumps({"failed": "bwrap is not installed (Debian: "
                                    "bubblewrap)"}), flush=True)
        return 1
    sockets = {name: listening() for name in ("server", "chromium", "vlc")}
    words = [program, *namespaces(), *root_words(asked["home_bytes"]),
             *guest_words(asked["modules"]), "--remount-ro", "/"]
    session = {"screen": asked["screen"], "token": asked["token"],
               "ports": {name: one.getsockname()[1]
                         for name, one in sockets.items()},
               "sockets": {name: one.fileno()
                           for name, one in sockets.items()}}
    if asked["home"]:
        session["home"] = os.open(asked["home"], os.O_RDONLY)
        os.set_inheritable(session["home"], True)
    told = data_file(json.dumps(session))
    become_own_user()
    words += ["--chdir", "/home/user", "--", "/usr/bin/python3", "-c",
              f"import sys; sys.path.insert(0, '{GUEST}/lib'); "
              f"import desktop_session; desktop_session.run({told})"]
    os.execve(program, words, VARIABLES)


if __name__ == "__main__":
    sys.exit(main())
