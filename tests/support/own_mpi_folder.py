"""Gives a test that imports it a folder of its own for what Open MPI keeps of a job: tests run side by side, and the
last job of a shared folder (Open MPI 4.1) removes it while the next is about to use it."""
import atexit
import os
import shutil
import tempfile

folder = tempfile.mkdtemp(prefix='mpi')
atexit.register(shutil.rmtree, folder, ignore_errors=True)
os.environ['OMPI_MCA_orte_tmpdir_base'] = folder
