import { existsSync } from 'node:fs';
import type { Clock } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { parseKubeconfig, selectContext } from '@binnacle/client/kubeconfig';
import { isRunning } from '@binnacle/kv/processes';
import { readText } from '../files/index.js';
import { withEntries, withoutEntries } from '../kubeconfig/edits/index.js';
import { makeKubeconfig } from '../kubeconfig/index.js';
import { runningServer, startInBackground, stopServer } from './background-server.js';
import { ClusterFolder, clusterFolders, type ClusterSettings } from './cluster-folder.js';
import { lockCluster } from './cluster-lock.js';
import { changeKubeconfig, pathForNewEntries } from './kubeconfig-file.js';
import { untilReady } from './readiness.js';
import type { ClusterRequest, RequestOf } from './requests/request.js';

export interface ClusterParts {
  /** The folder of all clusters. */
  readonly directory: string;
  /** The program that a server is: it gets the arguments of `binnacle serve`. */
  readonly program: readonly string[];
  /** The kubeconfig files of the user, at least one. */
  readonly kubeconfigs: readonly [string, ...string[]];
  readonly print: (text: string) => void;
  readonly clock: Clock;
  /** When it fires, a server that is starting is ended, and a cluster that is being created is removed. */
  readonly signal: AbortSignal;
}

/** Lines of a log that an error shows. */
const SHOWN_LINES = 5;

/** The name of the cluster, the user and the context in a kubeconfig. */
const contextOf = (name: string): string => `binnacle-${name}`;

/**
 * Carries out a request. Rejects with an Error whose message is for people. Of two requests that change a cluster at the same time, one is
 * refused.
 */
export async function runCluster(request: ClusterRequest, parts: ClusterParts): Promise<void> {
  if (request.action === 'list') return list(request, parts);
  if (request.action === 'kubeconfig') {
    return parts.print(await kubeconfigOf((await existing(request.name, parts)).folder));
  }
  using _lock = await lockCluster(parts.directory, request.name);
  await change(request, parts);
}

type Change = RequestOf<'create' | 'start' | 'stop' | 'delete'>;

function change(request: Change, parts: ClusterParts): Promise<void> {
  switch (request.action) {
    case 'create':
      return create(request, parts);
    case 'start':
      return startAgain(request, parts);
    case 'stop':
      return stop(request, parts);
    case 'delete':
      return remove(request, parts);
  }
}

async function create(request: RequestOf<'create'>, parts: ClusterParts): Promise<void> {
  const folder = new ClusterFolder(parts.directory, request.name);
  const settings = { nodes: request.nodes };
  if ((await folder.settings()) !== undefined) {
    const hint =
      (await runningServer(folder)) === undefined ? `; start it with binnacle cluster start ${folder.name}` : '';
    throw new Error(`cluster ${folder.name} exists already${hint}`);
  }
  await folder.create(settings);
  try {
    await serve(folder, settings, request, parts);
  } catch (error) {
    await stopServer(folder, parts.clock);
    await folder.remove();
    throw error;
  }
}

async function startAgain(request: RequestOf<'start'>, parts: ClusterParts): Promise<void> {
  const { folder, settings } = await existing(request.name, parts);
  const running = await runningServer(folder);
  if (running !== undefined) throw new Error(`cluster ${folder.name} runs already, as process ${running.pid}`);
  try {
    await serve(folder, settings, request, parts);
  } catch (error) {
    await stopServer(folder, parts.clock);
    throw error;
  }
}

async function serve(
  folder: ClusterFolder,
  settings: ClusterSettings,
  { waitMs, kubeconfig }: RequestOf<'create' | 'start'>,
  { program, kubeconfigs, print, clock, signal }: ClusterParts,
): Promise<void> {
  const { nodes, port = 0 } = settings;
  const begun = clock.monotonic();
  const args = ['serve', '--data-dir', folder.dataDirectory, '--secure-port', String(port), '--nodes', String(nodes)];
  const identity = await startInBackground([...program, ...args], folder);
  const expected = {
    kubeconfig: folder.kubeconfig,
    nodes,
    isRunning: () => isRunning(identity),
    until: begun + waitMs,
  };
  const url = await untilReady(expected, clock, signal).catch(async (error: unknown) => {
    const reason = messageOf(error);
    const lines = (await folder.lastLines(SHOWN_LINES)).map((line) => `\n  ${line}`).join('');
    throw new Error(`cluster ${folder.name} did not start: ${reason}${lines}`, { cause: error });
  });
  // A later start uses the same port, so that kubeconfigs stay right.
  await folder.saveSettings({ ...settings, port: Number(new URL(url).port) });
  const path = kubeconfig ?? pathForNewEntries(kubeconfigs);
  const added = await kubeconfigOf(folder);
  await changeKubeconfig(path, (text) => withEntries(text, added), clock);
  const seconds = ((clock.monotonic() - begun) / 1000).toFixed(1);
  const lines = [
    `Cluster ${folder.name} serves at ${url} (nodes: ${nodes}, ready in ${seconds} s)`,
    `kubectl uses context ${contextOf(folder.name)} of ${path}`,
    `Log in ${folder.log}`,
  ];
  print(`${lines.join('\n')}\n`);
}

async function stop({ name }: RequestOf<'stop'>, parts: ClusterParts): Promise<void> {
  const { folder } = await existing(name, parts);
  const ran = await stopServer(folder, parts.clock);
  parts.print(ran ? `Cluster ${name} has stopped; its objects are kept\n` : `Cluster ${name} did not run\n`);
}

/** Like `kind delete`, succeeds for a cluster that does not exist, and removes what is left of it in the kubeconfig. */
async function remove({ name, kubeconfig }: RequestOf<'delete'>, parts: ClusterParts): Promise<void> {
  const folder = new ClusterFolder(parts.directory, name);
  const exists = existsSync(folder.path);
  await stopServer(folder, parts.clock);
  const paths = kubeconfig === undefined ? parts.kubeconfigs : [kubeconfig];
  for (const path of paths) {
    await changeKubeconfig(path, (text) => withoutEntries(text, contextOf(name)), parts.clock);
  }
  await folder.remove();
  parts.print(exists ? `Cluster ${name} is deleted\n` : `There was no cluster ${name}\n`);
}

async function list({ output }: RequestOf<'list'>, { directory, print }: ClusterParts): Promise<void> {
  const folders = await clusterFolders(directory);
  const clusters = (await Promise.all(folders.map(described))).filter((each) => each !== undefined);
  if (output === 'json') return print(`${JSON.stringify(clusters)}\n`);
  if (output === 'name') return print(clusters.map(({ name }) => `${name}\n`).join(''));
  if (clusters.length === 0) return print('No clusters; binnacle cluster create NAME makes one\n');
  const rows = clusters.map(({ name, status, nodes, server, pid }) => [
    name,
    status,
    `${nodes}`,
    server,
    `${pid ?? ''}`,
  ]);
  print(tableOf([['NAME', 'STATUS', 'NODES', 'SERVER', 'PID'], ...rows]));
}

/** Undefined for a folder without settings, which a killed `create` leaves. */
async function described(folder: ClusterFolder) {
  const settings = await folder.settings().catch(() => 'damaged' as const);
  if (settings === undefined) return undefined;
  const running = await runningServer(folder);
  const { nodes, port } = settings === 'damaged' ? { nodes: 0, port: undefined } : settings;
  const status = settings === 'damaged' ? 'Damaged' : 'Stopped';
  return {
    name: folder.name,
    status: running === undefined ? status : 'Running',
    nodes,
    server: port === undefined ? '' : `https://127.0.0.1:${port}`,
    folder: folder.path,
    ...(running === undefined ? {} : { pid: running.pid }),
  };
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

async function existing(name: string, { directory }: ClusterParts) {
  const folder = new ClusterFolder(directory, name);
  const settings = await folder.settings();
  if (settings === undefined) throw new Error(`there is no cluster ${name}; binnacle cluster list shows all`);
  return { folder, settings };
}

/** The kubeconfig of a cluster, with the names that it has in the user's. */
async function kubeconfigOf(folder: ClusterFolder): Promise<string> {
  const { cluster, user } = selectContext(parseKubeconfig(await readText(folder.kubeconfig), folder.kubeconfig));
  const { server, certificateAuthorityData: certificateAuthority } = cluster;
  const { clientCertificateData: clientCertificate, clientKeyData: clientKey } = user;
  if (!server || !certificateAuthority || !clientCertificate || !clientKey) {
    throw new Error(`${folder.kubeconfig} has no URL, certificate or key`);
  }
  const name = contextOf(folder.name);
  const names = { cluster: name, user: name, context: name };
  return makeKubeconfig({ server, certificateAuthority, clientCertificate, clientKey }, names);
}
