import { inert } from '../printing/index.js';
import { firstBad } from './bisect.js';
import { type Fork, type ForkOptions, ForksClient, type Snapshot } from './forks-client.js';
import type { HistoryParts } from './parts.js';
import { type Point, pointText } from './requests/point.js';
import type { RequestOf } from './requests/request.js';

/** A shell gives higher codes to a program that a signal has ended. */
const HIGHEST_BAD_CODE = 127;

/** Takes, lists or deletes snapshots. */
export async function runSnapshot({ name, at, remove }: RequestOf<'snapshot'>, parts: HistoryParts): Promise<void> {
  const client = new ForksClient(parts.transport, parts.signal);
  if (name === undefined) {
    for (const snapshot of await client.snapshots()) await parts.print(line(snapshot));
  } else if (remove) {
    await parts.print(`snapshot ${inert((await client.deleteSnapshot(name)).name)} is deleted\n`);
  } else {
    const { resourceVersion } = await client.addSnapshot(name, atText(at, parts));
    await parts.print(`snapshot ${name} is revision ${inert(resourceVersion)}\n`);
  }
}

/** Starts, lists or stops forks. */
export async function runFork(request: RequestOf<'fork'>, parts: HistoryParts): Promise<void> {
  const client = new ForksClient(parts.transport, parts.signal);
  const { at, name, port, sharesCredentials, remove, file } = request;
  if (request.list) {
    for (const fork of await client.forks()) await parts.print(line(fork));
  } else if (remove !== undefined) {
    await parts.print(`fork ${inert((await client.deleteFork(remove)).name)} has stopped\n`);
  } else {
    const options = { name, at: atText(at, parts), port, sharesCredentials };
    const { fork, path } = await startFork(client, options, parts.writeFile, file);
    await parts.print(`${line(fork)}export KUBECONFIG=${path}\n`);
  }
}

/** Starts a fork and writes its kubeconfig to `file`. Default: a file with the name of the fork. */
export async function startFork(
  client: ForksClient,
  options: ForkOptions,
  writeFile: HistoryParts['writeFile'],
  file?: string,
): Promise<{ readonly fork: Fork; readonly path: string }> {
  const { kubeconfig, ...fork } = await client.addFork(options);
  const path = file ?? `${fork.name}.kubeconfig`;
  try {
    await writeFile(path, kubeconfig);
  } catch (error) {
    // The server shows the kubeconfig once, so no one could use the fork.
    await client.deleteFork(fork.name);
    throw error;
  }
  return { fork, path };
}

/**
 * Finds the revision whose state first fails the command. Resolves to it. No fork is left, also when the signal of `parts`
 * fires: it ends the command.
 */
export async function runBisect({ good, bad, command }: RequestOf<'bisect'>, parts: HistoryParts): Promise<number> {
  // A request for a fork that is cut off may leave one.
  const client = new ForksClient(parts.transport);
  const tried = async (at: string | undefined): Promise<{ revision: number; isGood: boolean }> => {
    const fork = await client.addFork({ at });
    try {
      const isGood = await passes(command, fork, parts);
      await parts.print(`${fork.resourceVersion} is ${isGood ? 'good' : 'bad'}\n`);
      return { revision: Number(fork.resourceVersion), isGood };
    } finally {
      await client.deleteFork(fork.name);
    }
  };
  const first = await tried(atText(good, parts));
  if (!first.isGood) throw new Error(`the command fails at the good revision, ${first.revision}`);
  const last = await tried(atText(bad, parts));
  if (last.isGood) throw new Error(`the command succeeds at the bad revision, ${last.revision}`);
  if (last.revision < first.revision) throw new Error('the good revision is newer than the bad one');
  return firstBad(first.revision, last.revision, async (revision) => (await tried(String(revision))).isGood);
}

async function passes(
  command: readonly string[],
  { kubeconfig }: { readonly kubeconfig: string },
  { runCommand, signal }: HistoryParts,
): Promise<boolean> {
  signal?.throwIfAborted();
  const code = await runCommand(command, kubeconfig);
  signal?.throwIfAborted();
  if (code > HIGHEST_BAD_CODE) throw new Error(`the command ended with ${code}`);
  return code === 0;
}

function atText(point: Point | undefined, { now }: HistoryParts): string | undefined {
  return point && pointText(point, now());
}

function line(each: Snapshot | Fork): string {
  const cells = [each.name, each.resourceVersion, each.time, ...('url' in each ? [each.url] : [])];
  return `${inert(cells.join('  '))}\n`;
}
