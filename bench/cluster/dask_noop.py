"""Prints how many no-op tasks a second Dask's scheduler does.

usage: dask_noop.py WORKERS TASKS
The scheduler and each worker are a process; a worker has one thread. Tasks are
submitted at once and their results gathered, as Dask's documentation advises.
"""

import logging
import sys
import tempfile
import time


def noop(number):
    return None


def main():
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        sys.exit("dask_noop: python3-distributed is not installed")
    workers, tasks = int(sys.argv[1]), int(sys.argv[2])
    logging.getLogger("distributed").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder, \
            LocalCluster(n_workers=workers, threads_per_worker=1,
                         processes=True, dashboard_address=None,
                         local_directory=folder) as cluster, \
            Client(cluster) as client:
        client.wait_for_workers(workers)
        client.gather(client.map(noop, range(1000), pure=False))
        began = time.perf_counter()
        client.gather(client.map(noop, range(1000, 1000 + tasks), pure=False))
        print(tasks / (time.perf_counter() - began), flush=True)


if __name__ == "__main__":
    main()
