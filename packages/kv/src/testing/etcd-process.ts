import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const unpacked = fileURLToPath(new URL('../../../../.cache/etcd-debian/usr/bin/etcd', import.meta.url));
const START_TIMEOUT_MILLISECONDS = 15_000;

/** The binary that `BINNACLE_ETCD` names, or that scripts/fetch-etcd.mjs unpacked, or that is on the path. */
export function findEtcd(): string | undefined {
  const named = process.env['BINNACLE_ETCD'];
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'etcd'));
  const candidates = named === undefined ? [unpacked, ...onPath] : [named];
  return candidates.find((candidate) => existsSync(candidate));
}

/** Why tests with a real etcd are left out here; `false` = they run. In CI they are never left out, they fail. */
export function withoutEtcd(): string | false {
  if (findEtcd() !== undefined || process.env['CI'] !== undefined) return false;
  return 'no etcd here: run scripts/fetch-etcd.mjs, or install one';
}

/** A member of a cluster, by itself or with others, in a temporary directory, for tests that end it, kill it and start it again. */
export class EtcdProcess implements AsyncDisposable {
  readonly endpoint: string;
  readonly #directory: string;
  readonly #arguments: readonly string[];
  #child: ChildProcess | undefined;
  #output = '';

  private constructor(directory: string, endpoint: string, options: readonly string[]) {
    this.endpoint = endpoint;
    this.#directory = directory;
    this.#arguments = options;
  }

  /** `flags` are etcd's own; `scheme` is that of the client's endpoint. */
  static async start(flags: readonly string[] = [], scheme: 'http' | 'https' = 'http'): Promise<EtcdProcess> {
    // A cluster of one need not wait long before it elects itself.
    const [only] = await startMembers(1, ['--heartbeat-interval=10', '--election-timeout=100', ...flags], scheme);
    if (only === undefined) throw new Error('a cluster of one has a member');
    return only;
  }

  /** Members of one cluster, with a leader. */
  static startCluster(size: number): Promise<EtcdProcess[]> {
    return startMembers(size, ['--heartbeat-interval=30', '--election-timeout=300'], 'http');
  }

  /** A member that has not been started: `resume` does. */
  static member(directory: string, endpoint: string, options: readonly string[]): EtcdProcess {
    return new EtcdProcess(directory, endpoint, options);
  }

  /** Starts it again on the same ports, with the same data. Resolves when it listens. */
  async resume(): Promise<void> {
    const binary = findEtcd();
    if (binary === undefined) throw new Error('no etcd here: run scripts/fetch-etcd.mjs, or install one');
    const child = spawn(binary, this.#arguments, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.#output = '';
    const heard = new Promise<void>((resolve, reject) => {
      const listen = (chunk: Buffer): void => {
        if (this.#output.length > 1_000_000) return;
        this.#output += chunk.toString();
        if (this.#output.includes('ready to serve client requests')) resolve();
        if (/serving (?:insecure )?client requests/.test(this.#output)) resolve();
      };
      child.stdout.on('data', listen);
      child.stderr.on('data', listen);
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`etcd ended by itself:\n${this.#output.slice(-2000)}`)));
    });
    const over = new AbortController();
    const late = delay(START_TIMEOUT_MILLISECONDS, undefined, { signal: over.signal }).then(() => {
      throw new Error(`etcd did not start:\n${this.#output.slice(-2000)}`);
    });
    late.catch(() => undefined);
    heard.catch(() => undefined);
    await Promise.race([heard, late]).finally(() => over.abort());
  }

  /** Ends it as an administrator would, or, with SIGKILL, as a fault would; its data stay. */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** Holds it still, as a slow disk would. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Ends it for good, with its data. */
  async stop(): Promise<void> {
    await this.end('SIGKILL');
    await rm(this.#directory, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

async function startMembers(size: number, flags: readonly string[], scheme: 'http' | 'https'): Promise<EtcdProcess[]> {
  const ports = await freePorts(size * 2);
  const peers = ports.slice(size).map((port) => `http://127.0.0.1:${port}`);
  const cluster = peers.map((peer, index) => `m${index}=${peer}`).join(',');
  const members = [];
  for (const [index, peer] of peers.entries()) {
    const directory = await mkdtemp(join(tmpdir(), 'kv-etcd-'));
    const endpoint = `${scheme}://127.0.0.1:${ports[index]}`;
    const options = [
      `--name=m${index}`,
      `--data-dir=${join(directory, 'data')}`,
      `--listen-client-urls=${endpoint}`,
      `--advertise-client-urls=${endpoint}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=${cluster}`,
      `--max-request-bytes=${8 * 1024 * 1024}`,
      ...flags,
    ];
    members.push(EtcdProcess.member(directory, endpoint, options));
  }
  try {
    await Promise.all(members.map((member) => member.resume()));
    return members;
  } catch (error) {
    await Promise.all(members.map((member) => member.stop()));
    throw error;
  }
}

/** Ports that were free a moment ago. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = [];
  for (const server of servers) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    ports.push(typeof address === 'object' && address !== null ? address.port : 0);
  }
  for (const server of servers) {
    server.close();
    await once(server, 'close');
  }
  return ports;
}
