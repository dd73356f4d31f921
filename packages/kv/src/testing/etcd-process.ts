import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries, NO_ETCD, runSnapshotTool, snapshotTool } from './etcd-binaries.js';

const START_TIMEOUT_MILLISECONDS = 120_000;

export interface EtcdSettings {
  /** Etcd's own flags. */
  readonly flags?: readonly string[];
  /** The scheme of the client endpoint. */
  readonly scheme?: 'http' | 'https';
  /** Default: the first one found. */
  readonly binary?: string | undefined;
  /** A saved snapshot to begin with. The binary needs a {@link snapshotTool}. */
  readonly snapshot?: string | undefined;
}

/** A member of an etcd cluster of one or more, in a temporary directory. Tests can stop, kill and restart it. */
export class EtcdProcess implements AsyncDisposable {
  readonly endpoint: string;
  readonly #directory: string;
  readonly #binary: string;
  readonly #arguments: readonly string[];
  #child: ChildProcess | undefined;
  #output = '';

  private constructor(directory: string, endpoint: string, binary: string, options: readonly string[]) {
    this.endpoint = endpoint;
    this.#directory = directory;
    this.#binary = binary;
    this.#arguments = options;
  }

  static async start({ flags = [], ...settings }: EtcdSettings = {}): Promise<EtcdProcess> {
    // A cluster of one can elect itself quickly.
    const quick = ['--heartbeat-interval=10', '--election-timeout=100'];
    const [only] = await startMembers(1, { ...settings, flags: [...quick, ...flags] });
    if (only === undefined) throw new Error('a cluster of one has a member');
    return only;
  }

  /** Starts the members of one cluster, and waits for a leader. */
  static startCluster(size: number): Promise<EtcdProcess[]> {
    return startMembers(size, { flags: ['--heartbeat-interval=30', '--election-timeout=300'] });
  }

  /** A member that is not yet started; `resume` starts it. */
  static member(directory: string, endpoint: string, binary: string, options: readonly string[]): EtcdProcess {
    return new EtcdProcess(directory, endpoint, binary, options);
  }

  /** The file of its store. */
  get storeFile(): string {
    return join(this.#directory, 'data/member/snap/db');
  }

  /** The pid of the running process. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts the process again with the same ports and data. Resolves when it listens. */
  async resume(): Promise<void> {
    const child = spawn(this.#binary, this.#arguments, { stdio: ['ignore', 'pipe', 'pipe'] });
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
      child.once('exit', () => reject(new Error(`etcd ended unexpectedly:\n${this.#output.slice(-2000)}`)));
    });
    const over = new AbortController();
    const late = delay(START_TIMEOUT_MILLISECONDS, undefined, { signal: over.signal }).then(() => {
      throw new Error(`etcd did not start:\n${this.#output.slice(-2000)}`);
    });
    late.catch(() => undefined);
    heard.catch(() => undefined);
    await Promise.race([heard, late]).finally(() => over.abort());
  }

  /** Ends the process as an administrator would or, with SIGKILL, as a crash would. Keeps its data. */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /**
   * Suspends the process, as a slow disk would. Resolves when all its threads are stopped, where the system reports
   * that (Linux).
   */
  async freeze(): Promise<void> {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    process.kill(pid, 'SIGSTOP');
    while (existsSync(`/proc/${pid}/task`) && !allThreadsStopped(pid)) await delay(1);
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Ends the process and deletes its data. */
  async stop(): Promise<void> {
    await this.end('SIGKILL');
    await rm(this.#directory, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Whether all threads are stopped. The signal reaches them one by one. */
function allThreadsStopped(pid: number): boolean {
  const tasks = `/proc/${pid}/task`;
  try {
    // The state follows the name, which is in parentheses.
    return readdirSync(tasks).every((thread) => /\) T/.test(readFileSync(join(tasks, thread, 'stat'), 'utf8')));
  } catch {
    // A thread has ended meanwhile.
    return false;
  }
}

/** Another process may take a port before etcd does. */
const MOST_ATTEMPTS = 5;

async function startMembers(size: number, settings: EtcdSettings): Promise<EtcdProcess[]> {
  for (let attempt = 1; ; attempt++) {
    const members = await makeMembers(size, settings);
    try {
      await Promise.all(members.map((member) => member.resume()));
      return members;
    } catch (error) {
      await Promise.all(members.map((member) => member.stop()));
      const isTaken = error instanceof Error && error.message.includes('address already in use');
      if (!isTaken || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

/** The members of a cluster, not yet started. */
async function makeMembers(size: number, settings: EtcdSettings): Promise<EtcdProcess[]> {
  const { flags = [], scheme = 'http', binary = findBinaries()[0], snapshot } = settings;
  if (binary === undefined) throw new Error(NO_ETCD);
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
    if (snapshot !== undefined) restore(binary, snapshot, options);
    members.push(EtcdProcess.member(directory, endpoint, binary, options));
  }
  return members;
}

/** Creates the data of a member that is started with `options`. */
function restore(binary: string, snapshot: string, options: readonly string[]): void {
  const tool = snapshotTool(binary);
  if (tool === undefined) throw new Error(`no etcdutl or etcdctl for ${binary}: run scripts/fetch-etcd.mjs`);
  const shared = /^--(?:name|data-dir|initial-advertise-peer-urls|initial-cluster)=/;
  runSnapshotTool(tool, ['restore', snapshot, ...options.filter((option) => shared.test(option))]);
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
