"""Slurm on virtual nodes of this machine, as long as the `with` block lasts."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from hang_guard import HANG_GUARD

CONFIGURATION = """ClusterName=virtual
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=pmix
SlurmdParameters=config_overrides
StateSaveLocation={top}/state
SlurmdSpoolDir={top}/spool.%n
SlurmctldPidFile={top}/slurmctld.pid
SlurmdPidFile={top}/slurmd.%n.pid
SlurmctldLogFile={top}/slurmctld.log
SlurmdLogFile={top}/slurmd.%n.log
TmpFS={top}/tmp.%n
KillWait=5
SchedulerParameters=batch_sched_delay=1,requeue_delay=1,sched_interval=3,bf_interval=3
NodeName=n[1-{nodes}] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[{first}-{last}] CPUs=8 RealMemory=4000 State=UNKNOWN
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=debug Nodes=ALL Default=YES State=UP
PartitionName=graced Nodes=ALL State=UP GraceTime=600
PartitionName=urgent Nodes=ALL State=UP PriorityTier=10 PreemptMode=OFF
"""
MOST_NODES = 16


def reason_to_skip():
    """Why Slurm cannot run here, or nothing."""
    for program in ("slurmctld", "slurmd", "srun", "sbatch", "unshare"):
        if shutil.which(program) is None:
            return f"there is no {program} here (Debian: apt-get install slurm-wlm slurm-client)"
    if os.geteuid() != 0:
        return "virtual nodes need root"
    if subprocess.run(["unshare", "--uts", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        return "this machine allows no namespace of host names"
    return None


class VirtualCluster:
    def __init__(self, top, nodes=4):
        self.top = pathlib.Path(top)
        self.nodes = range(1, nodes + 1)
        self.daemons = {}
        # With other fences of Slurm 22.05 a rank may get a message before Open MPI 4.1.4 can take it (docs/running.md).
        self.environment = dict(os.environ, SLURM_CONF=str(self.top / "slurm.conf"),
                                OMPI_MCA_btl_tcp_if_include="lo", SLURM_PMIX_FENCE="ring")

    def __enter__(self):
        for node in self.nodes:
            for name in ("spool", "tmp"):
                (self.top / f"{name}.n{node}").mkdir()
        (self.top / "state").mkdir()
        base = 26800 + os.getpid() % 350 * (MOST_NODES + 1)
        (self.top / "slurm.conf").write_text(CONFIGURATION.format(
            top=self.top, port=base, first=base + 1, last=base + len(self.nodes),
            nodes=len(self.nodes)))
        configuration = self.environment["SLURM_CONF"]
        self.start("slurmctld", "slurmctld", "-D", "-f", configuration)
        for node in self.nodes:
            self.start(f"n{node}", "unshare", "--uts", "sh", "-c",
                       f"hostname n{node}; exec slurmd -D -N n{node} -f {configuration}")
        deadline = time.monotonic() + HANG_GUARD
        while time.monotonic() < deadline:
            states = self.call("sinfo", "-h", "-o", "%D %t").stdout.split()
            if states == [str(len(self.nodes)), "idle"]:
                return self
            time.sleep(0.2)
        raise RuntimeError(f"the nodes do not come up: {states}\n" +
                           (self.top / "slurmctld.log").read_text()[-2000:])

    def start(self, name, *command):
        self.daemons[name] = subprocess.Popen(command, env=self.environment, cwd=self.top,
                                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def switch_off(self, node):
        """Kills all that runs on a node: what has the host name that slurmd got there."""
        place = pathlib.Path("/proc", str(self.daemons[node].pid), "ns/uts").readlink()
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if (process / "ns/uts").readlink() == place:
                    os.kill(int(process.name), signal.SIGKILL)
            except OSError:  # it has ended
                pass

    def call(self, *command, **options):
        """Runs a client command; gives the finished process."""
        options = {"capture_output": True, "text": True, "timeout": HANG_GUARD, **options}
        return subprocess.run([str(word) for word in command], env=self.environment, **options)

    def wait_until(self, condition, seconds=HANG_GUARD):
        """Whether `condition()` came true in time."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if condition():
                return True
            time.sleep(0.2)
        return False

    def jobs(self):
        return self.call("squeue", "-h", "-o", "%i %t").stdout.split("\n")[:-1]

    def __exit__(self, *_):
        self.call("scancel", "--user=root")
        self.wait_until(lambda: not self.jobs(), 60)
        for daemon in reversed(self.daemons.values()):
            daemon.terminate()
        for daemon in self.daemons.values():
            try:
                daemon.wait(timeout=60)
            except subprocess.TimeoutExpired:
                daemon.kill()
