# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Slurm, GNU parallel and OpenSSH in a folder of their own, and machines made of namespaces, each
of which can fail like a real machine."""

from __future__ import annotations

import os
import select
import shutil
import socket
import subprocess
import sys
import time
from typing import Dict, List

from fleet_runs import variables_with, write_program
from harness import BUILD, SOURCE, TIME_LIMIT, Skip

RELEASE = "bookworm"
PACKAGES = ("slurmctld", "slurmd", "slurm-client", "parallel", "openssh-server")
DUCKDB = "duckdb-cli"  # of PyPI, with the command alone
FOLDER = os.path.join(BUILD, "check-long", "fleet")
ROOT = os.path.join(FOLDER, "packages", "root")
LIBRARIES = os.path.join(ROOT, "usr", "lib", "x86_64-linux-gnu")
NAMESPACES = ["unshare", "--mount", "--pid", "--uts", "--fork", "--kill-child", "--mount-proc"]
MACHINES = 3
LOST = 2  # the machine that is lost, counted from 1

# One CPU for each node, so that each gets a task.  A lost task is noticed soon, and started again.
SLURM = """\
ClusterName=fleet
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller}
AuthType=auth/none
AuthInfo=cred_expire=10
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmUser=root
SlurmdUser=root
PluginDir={libraries}/slurm-wlm
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmdTimeout=10
SchedulerType=sched/builtin
SelectType=select/cons_tres
MailProg=/bin/true
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
SSHD = """\
ListenAddress 127.0.0.1:{port}
HostKey {folder}/key
AuthorizedKeysFile {folder}/key.pub
StrictModes no
PidFile none
SetEnv PATH={path} FLEET_MACHINE={number}
"""
SSH = """\
Host m{number}
HostName 127.0.0.1
Port {port}
User root
IdentityFile {folder}/key
StrictHostKeyChecking no
UserKnownHostsFile /dev/null
LogLevel ERROR
"""
# The replacement of the command: on the machine that will fail, it reports that it has written half
# a line, and hangs.
COMMAND = """\
machine=${{SLURMD_NODENAME-${{FLEET_MACHINE-}}}}
if [ "${{machine#n}}" = {lost} ]; then
    printf '{{"schema": 1, "core": '
    echo half >'{says}'
    exec cat '{never}'
fi
LD_LIBRARY_PATH='{libraries}' exec '{libraries}/ompd-opencl' "$@"
"""


def unpack() -> None:
    """Bring the packages up to date."""
    if os.getuid() != 0:
        raise Skip("only root can start these engines")
    if subprocess.run([*NAMESPACES, "true"], check=False).returncode != 0:
        raise Skip("namespaces are not permitted")
    os.makedirs(FOLDER, exist_ok=True)
    script = os.path.join(SOURCE, "testsuite", "runtimes", "unpack.sh")
    with open(os.path.join(FOLDER, "unpack.log"), "w", encoding="utf-8") as log:
        words = [script, RELEASE, os.path.join(FOLDER, "packages"), *PACKAGES]
        done = subprocess.run(words, stdout=log, stderr=log, check=False)
    if done.returncode != 0:
        raise Skip("the packages of %s cannot be unpacked" % RELEASE)


def fetch_duckdb() -> str:
    """Fetch DuckDB's command; returns the folder that it is in."""
    folder = os.path.join(FOLDER, "duckdb")
    command = os.path.join(folder, "duckdb_cli", "duckdb")
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, DUCKDB]
    os.makedirs(FOLDER, exist_ok=True)
    with open(os.path.join(FOLDER, "duckdb.log"), "w", encoding="utf-8") as log:
        if not os.path.exists(command):
            subprocess.run(words, stdout=log, stderr=log, check=False)
    if not os.path.exists(command):
        raise Skip("DuckDB cannot be fetched")
    return os.path.dirname(command)


def free_ports(count: int) -> List[int]:
    """Ports without a listener."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def write_file(path: str, text: str) -> str:
    """Write a file that is for its user alone."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    return path


class Engines:
    """Processes of engines in a folder, and the variables by which their commands find them."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.processes: Dict[str, "subprocess.Popen[bytes]"] = {}
        for name in ("says", "never"):
            os.mkfifo(os.path.join(folder, name))
        self.says = os.open(os.path.join(folder, "says"), os.O_RDWR)
        self.variables = variables_with(os.path.join(ROOT, "usr", "bin"))
        self.put_command()
        libraries = [LIBRARIES, os.path.join(LIBRARIES, "slurm-wlm")]
        self.variables["LD_LIBRARY_PATH"] = ":".join(libraries)
        self.variables["SLURM_CONF"] = os.path.join(folder, "slurm.conf")

    def put_command(self) -> None:
        """Have scripts find the command on all machines."""
        bin_folder = os.path.join(self.folder, "bin")
        text = COMMAND.format(
            lost=LOST,
            says=os.path.join(self.folder, "says"),
            never=os.path.join(self.folder, "never"),
            libraries=os.path.join(BUILD, ".libs"),
        )
        write_program(bin_folder, "ompd-opencl", text)
        self.variables["PATH"] = bin_folder + ":" + self.variables["PATH"]

    def start(self, name: str, words: List[str]) -> None:
        """Start a process with output to NAME.log.  It does not outlive this one."""
        with open(os.path.join(self.folder, name + ".log"), "wb") as log:
            self.processes[name] = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *words],
                env=self.variables,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def start_slurm(self) -> None:
        """Start a controller and its nodes n1 and on, each with processes of its own."""
        controller, *ports = free_ports(1 + MACHINES)
        node = "NodeName=n%d NodeAddr=127.0.0.1 Port=%d CPUs=1"
        nodes = [node % (number, port) for number, port in enumerate(ports, 1)]
        text = SLURM.format(
            controller=controller,
            libraries=LIBRARIES,
            folder=self.folder,
            nodes="\n".join(nodes),
        )
        write_file(self.variables["SLURM_CONF"], text)
        os.mkdir(os.path.join(self.folder, "state"))
        programs = os.path.join(ROOT, "usr", "sbin")
        self.start("controller", [os.path.join(programs, "slurmctld-wlm"), "-D", "-c"])
        daemon = [os.path.join(programs, "slurmd-wlm"), "-D"]
        daemon += ["-d", os.path.join(programs, "slurmstepd-wlm"), "-N"]
        for number in range(1, MACHINES + 1):
            name = "n%d" % number
            os.mkdir(os.path.join(self.folder, name))
            self.start(name, [*NAMESPACES, *daemon, name])
        self.wait_for(["sinfo"])

    def start_machines(self) -> str:
        """Start machines m1 and on that ssh can log into; returns a file for --sshloginfile."""
        key = os.path.join(self.folder, "key")
        words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key]
        subprocess.run(words, env=self.variables, check=True)
        with open("/etc/passwd", encoding="utf-8") as file:
            users = file.read() + "sshd:x:64000:65534::/run/sshd:/bin/false\n"
        write_file(os.path.join(self.folder, "passwd"), users)
        os.chmod(os.path.join(self.folder, "passwd"), 0o644)
        clients = ""
        for number, port in enumerate(free_ports(MACHINES), 1):
            values = dict(folder=self.folder, port=port, number=number)
            text = SSHD.format(path=self.variables["PATH"], **values)
            write_file(os.path.join(self.folder, "sshd-%d" % number), text)
            clients += SSH.format(**values)
            # An installation would create a user and an empty folder.
            script = (
                "hostname m{number} && mount --bind {folder}/passwd /etc/passwd &&"
                " mount -t tmpfs none /run && mkdir /run/sshd &&"
                " exec {root}/usr/sbin/sshd -D -e -f {folder}/sshd-{number}"
            )
            words = ["sh", "-c", script.format(root=ROOT, **values)]
            self.start("m%d" % number, [*NAMESPACES, *words])
        config = write_file(os.path.join(self.folder, "ssh-config"), clients)
        self.variables["PARALLEL_SSH"] = "ssh -F " + config
        for number in range(1, MACHINES + 1):
            self.wait_for(["ssh", "-F", config, "m%d" % number, "true"])
        logins = "".join("1/m%d\n" % number for number in range(1, MACHINES + 1))
        return write_file(os.path.join(self.folder, "machines"), logins)

    def wait_for(self, words: List[str]) -> None:
        """Repeat a command until it succeeds, because engines do not report when they listen."""
        end = time.monotonic() + TIME_LIMIT
        while subprocess.run(words, env=self.variables, check=False).returncode != 0:
            ended = [name for name, each in self.processes.items() if each.poll() is not None]
            if ended or time.monotonic() > end:
                raise AssertionError("%s: see the logs in %s" % (ended or words, self.folder))

    def lose(self, name: str) -> None:
        """Wait until the command has written half a line there, and lose that machine."""
        ready, _, _ = select.select([self.says], [], [], TIME_LIMIT)
        if not ready or os.read(self.says, len("half\n")) != b"half\n":
            raise AssertionError("nothing was begun on the machine that is to be lost")
        self.processes[name].kill()
        self.processes[name].wait()

    def close(self) -> None:
        """End all."""
        for each in self.processes.values():
            each.kill()
            each.wait()
        os.close(self.says)


def require_sqlite() -> None:
    """Skip where no table can be made."""
    if shutil.which("sqlite3") is None:
        raise Skip("sqlite3 is not installed")
