/**
 * The servers that are compared. Each: `{ name, connect, cpuSeconds, memoryBytes(field), close }`; CPU and memory of an etcd count. Binnacle also has
 * `mainThreadMilliseconds`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '../support/client.mjs';
import { cpuSecondsOf, memoryBytesOf } from '../support/processes.mjs';
import { Server, Store } from '../support/server.mjs';
import { startUpstream } from '../support/upstream.mjs';

/**
 * Binnacle over a store, `embedded` or `etcd`, in a process of its own. `profiles`: the folder for a profile of its CPU, whose file `profile()` names
 * once the server has closed.
 */
export async function startBinnacle(name, storeName, profiles) {
  const store = await Store.open(storeName);
  const folder = profiles && mkdtempSync(join(profiles, `${storeName}-`));
  const nodeFlags = folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
  const server = await Server.start(store, { nodeFlags });
  return {
    name,
    connect: () => server.connect(),
    cpuSeconds: () => server.cpuSeconds() + store.cpuSeconds(),
    mainThreadMilliseconds: () => server.threadMilliseconds(),
    memoryBytes: (field) => server.memoryBytes(field) + store.memoryBytes(field),
    profile: folder && (() => join(folder, readdirSync(folder)[0])),
    close: async () => {
      await server.stop();
      await store.close();
    },
  };
}

/** The floor: see `bare-server.mjs`. */
export async function startBareServer() {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  const child = spawn(process.execPath, [fileURLToPath(new URL('bare-server.mjs', import.meta.url)), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return {
    name: 'bare Node.js',
    connect: () => new Client(`${line}`.trim(), { rejectUnauthorized: false }),
    cpuSeconds: () => cpuSecondsOf(child.pid),
    memoryBytes: (field) => memoryBytesOf(child.pid, field),
    close: async () => {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

/** A kube-apiserver over an etcd that syncs its writes, as the embedded store does. */
export async function startKubeApiserver(program) {
  const { url, token, cpuSeconds, memoryBytes, stop } = await startUpstream(program, { durable: true });
  const connect = () => new Client(url, { token, rejectUnauthorized: false });
  return { name: 'kube-apiserver', connect, cpuSeconds, memoryBytes, close: stop };
}

/** A server that runs already. `pids`: the processes on this machine whose CPU and memory count. */
export function runningServer(url, token, pids) {
  const sumOf = (figure) => pids.reduce((sum, pid) => sum + figure(pid), 0);
  return {
    name: url,
    // The authority of a server under test is rarely at hand, and its token is valid for that server alone.
    connect: () => new Client(url, { token, rejectUnauthorized: false }),
    cpuSeconds: () => sumOf(cpuSecondsOf),
    memoryBytes: (field) => sumOf((pid) => memoryBytesOf(pid, field)),
    close: async () => {},
  };
}
