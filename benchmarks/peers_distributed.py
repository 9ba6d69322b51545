#!/usr/bin/env python3
"""What gnp-bench --distributed measures, by JAX (one process, sharded arrays, jit) and by PyTorch (a process for each GPU,
DTensor; the heat step by send and receive of local tensors), on 1, 2, ... GPUs. Milliseconds of the slowest process.

    python3 benchmarks/peers_distributed.py [--gpus 1,2] [--peers jax,torch] [--small]
"""
import argparse
import os
import statistics
import subprocess
import sys
import time


def time_of(call, wait, agreed=lambda calls: calls):
    call()
    wait()
    start = time.perf_counter()
    call()
    wait()
    calls = agreed(min(max(2, int(0.1 / (time.perf_counter() - start))), 200))
    times = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        wait()
        times.append((time.perf_counter() - start) / calls)
    return statistics.median(times) * 1e3


def sizes(small):
    if small:
        return dict(flat=1 << 20, plate=512, square=512, rows=1 << 14)
    return dict(flat=1 << 29, plate=16384, square=32768, rows=1 << 24)


def show(peer, gpus, row, milliseconds):
    print(f"{peer:8} {gpus} GPUs  {row:22} {milliseconds:12.4f} ms", flush=True)


def run_jax(gpus, size):
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    import jax
    import jax.numpy as jnp
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
    import numpy as np

    jax.config.update("jax_default_matmul_precision", "highest")
    mesh = Mesh(np.array(jax.devices()[:gpus]), ("x",))
    rows, flat = NamedSharding(mesh, P("x", None)), NamedSharding(mesh, P("x"))
    state = {}

    def measure(row, f, *arguments):
        def call():
            state["last"] = f(*arguments)
        show("jax", gpus, row, time_of(call, lambda: jax.block_until_ready(state["last"])))
        state.clear()

    count = gpus * size["flat"]
    made = jax.jit(lambda: (jnp.linspace(0, 10, count, dtype=jnp.float32), jnp.ones(count, jnp.float32)),
                   out_shardings=(flat, flat))
    x, y = made()
    measure("sin(x) * y + x", jax.jit(lambda x, y: jnp.sin(x) * y + x), x, y)
    measure("sum(x)", jax.jit(jnp.sum), x)
    del x, y
    key = jax.random.key(1)
    measure("random.normal", jax.jit(lambda k: jax.random.normal(k, (count,), jnp.float32), out_shardings=flat), key)

    n = size["plate"]
    u = jax.jit(lambda: jnp.zeros((gpus * n, n), jnp.float32), out_shardings=rows)()

    def step(u):
        centre = u[1:-1, 1:-1]
        new = centre + 0.2 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * centre)
        return u.at[1:-1, 1:-1].set(new)
    measure("heat, a step", jax.jit(step, out_shardings=rows), u)
    del u

    n = size["square"]
    a, b = jax.jit(lambda k: (jax.random.normal(k, (n, n)), jax.random.normal(k, (n, n)) + 1),
                   out_shardings=(rows, rows))(key)
    measure("matmul(a, b)", jax.jit(jnp.matmul, out_shardings=rows), a, b)
    del a, b
    tall = jax.jit(lambda k: jax.random.normal(k, (size["rows"], 64)), out_shardings=rows)(key)
    try:
        measure("svd of a tall matrix", jax.jit(lambda t: jnp.linalg.svd(t, full_matrices=False)), tall)
    except Exception as error:
        print(f"jax      {gpus} GPUs  svd: {str(error).splitlines()[0][:100]}", flush=True)


def run_torch(rank, gpus, size):
    import torch
    import torch.distributed as dist
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import DTensor, Shard, distribute_tensor
    import torch.distributed.tensor as dtensor

    torch.cuda.set_device(rank)
    torch.backends.cuda.matmul.allow_tf32 = False
    mesh = init_device_mesh("cuda", (gpus,))

    def wait():
        torch.cuda.synchronize()
        dist.barrier()
        torch.cuda.synchronize()

    def measure(row, call):
        def agreed(calls):  # calls among processes are made equally often by all
            first = torch.tensor([calls], device="cuda")
            dist.broadcast(first, 0)
            return int(first.item())
        milliseconds = time_of(call, wait, agreed)
        if rank == 0:
            show("torch", gpus, row, milliseconds)

    count = gpus * size["flat"]
    part = torch.linspace(0, 10, size["flat"], device="cuda")
    x = DTensor.from_local(part, mesh, [Shard(0)])
    y = DTensor.from_local(torch.ones_like(part), mesh, [Shard(0)])
    measure("sin(x) * y + x", lambda: torch.sin(x) * y + x)
    measure("sum(x)", lambda: x.sum().full_tensor())
    del x, y, part
    measure("random.normal", lambda: dtensor.randn(count, device_mesh=mesh, placements=[Shard(0)]))

    n = size["plate"]
    u = torch.zeros((n + 2, n), device="cuda")  # with a row of each neighbour

    def step():
        nonlocal u
        calls = []
        if rank > 0:
            calls += [dist.P2POp(dist.isend, u[1], rank - 1), dist.P2POp(dist.irecv, u[0], rank - 1)]
        if rank + 1 < gpus:
            calls += [dist.P2POp(dist.isend, u[-2], rank + 1), dist.P2POp(dist.irecv, u[-1], rank + 1)]
        for work in dist.batch_isend_irecv(calls) if calls else []:
            work.wait()
        centre = u[1:-1, 1:-1]
        new = u.clone()
        new[1:-1, 1:-1] = centre + 0.2 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * centre)
        u = new
    measure("heat, a step", step)
    del u

    n = size["square"]
    a = dtensor.randn(n, n, device_mesh=mesh, placements=[Shard(0)])
    b = dtensor.randn(n, n, device_mesh=mesh, placements=[Shard(0)])
    measure("matmul(a, b)", lambda: a @ b)
    del a, b
    try:
        tall = dtensor.randn(size["rows"], 64, device_mesh=mesh, placements=[Shard(0)])
        measure("svd of a tall matrix", lambda: torch.linalg.svd(tall, full_matrices=False))
    except Exception as error:
        if rank == 0:
            print(f"torch    {gpus} GPUs  svd: {str(error).splitlines()[0][:100]}", flush=True)
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpus", default="1,2")
    parser.add_argument("--peers", default="jax,torch")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--run", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    size = sizes(arguments.small)
    if arguments.run:
        peer, gpus, rank = arguments.run.split(",")
        if peer == "jax":
            run_jax(int(gpus), size)
        else:
            run_torch(int(rank), int(gpus), size)
        return
    extra = ["--small"] if arguments.small else []
    for peer in arguments.peers.split(","):
        for gpus in [int(n) for n in arguments.gpus.split(",")]:
            processes = []
            for rank in range(gpus if peer == "torch" else 1):
                environment = dict(os.environ, RANK=str(rank), WORLD_SIZE=str(gpus), LOCAL_RANK=str(rank),
                                   MASTER_ADDR="127.0.0.1", MASTER_PORT="29533")
                command = [sys.executable, __file__, "--run", f"{peer},{gpus},{rank}"] + extra
                processes.append(subprocess.Popen(command, env=environment))
            for process in processes:
                process.wait()


if __name__ == "__main__":
    main()
