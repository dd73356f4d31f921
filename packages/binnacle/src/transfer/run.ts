import type { Clock } from '@binnacle/apimachinery/clock';
import { StoredForms } from '@binnacle/apiserver/storedforms';
import { type ApiResource, type DiscoveryClient, RestMapper } from '@binnacle/client/discovery';
import type { Transport } from '@binnacle/client/transport';
import { type ClusterItems, itemsOfCluster } from './cluster-source.js';
import { exportToFolder } from './export-folder.js';
import { exportToSnapshot } from './export-snapshot.js';
import { itemsInFiles } from './folder-source.js';
import { importObjects } from './import-objects.js';
import type { Item } from './item.js';
import { kindsAmong } from './known-kinds.js';
import { type Plan, planImport } from './plan.js';
import { jsonReport, type Report, textExportReport, textReport } from './report.js';
import type { TransferOptions } from '../history/requests/index.js';

/** A connection to a server. */
export interface ServerEnd {
  readonly transport: Transport;
  readonly discovery: DiscoveryClient;
  /** Its URL. */
  readonly server: string;
  /** That of its context. */
  readonly namespace: string | undefined;
}

/** The server to read from, and what of it. */
export interface ServerSource {
  readonly server: ServerEnd;
  readonly namespace?: string | undefined;
  readonly revisionOf?: ((resource: ApiResource) => Promise<string>) | undefined;
}

export interface Transfer extends TransferOptions {
  readonly from: { readonly paths: readonly string[] } | ServerSource;
  readonly to: FileTarget | ServerEnd;
}

/** A folder of YAML files, or a snapshot of etcd. */
export type FileTarget = { readonly folder: string } | { readonly snapshot: string };

export interface TransferParts {
  readonly print: (text: string) => void;
  readonly progress: (step: string, done: number, total: number) => void;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** Moves objects, and prints a report. Resolves with whether all of them are moved. Rejects with an Error whose message is for people. */
export async function runTransfer(transfer: Transfer, parts: TransferParts): Promise<boolean> {
  const { from, to, withSecrets, overwrite, dryRun, output } = transfer;
  if ('server' in from && 'server' in to && from.server.server === to.server) {
    throw new Error(`both are the server ${to.server}`);
  }
  const { items, unread } = await readItems(from, withSecrets, parts);
  const plan = planImport(items, { withSecrets });
  if ('folder' in to || 'snapshot' in to) {
    const written =
      'snapshot' in to
        ? await exportToSnapshot(plan, to.snapshot, parts)
        : await exportToFolder(plan, to.folder, resourceNames(from, plan, parts.clock), parts.progress);
    const report = { ...written, unread };
    const path = 'snapshot' in to ? to.snapshot : to.folder;
    parts.print(output === 'json' ? jsonReport(report) : textExportReport(report, path));
    return report.failed.length === 0 && unread.length === 0;
  }
  const { transport, discovery, namespace = 'default' } = to;
  const imported = await importObjects(plan, { ...parts, transport, discovery, namespace, overwrite, dryRun });
  const report: Report = { ...imported, dryRun, leftOut: plan.leftOut, unread };
  parts.print(output === 'json' ? jsonReport(report) : textReport(report));
  return report.failed.length === 0 && unread.length === 0;
}

/** The plurals of kinds: a server knows them, and of files the definitions among them. */
function resourceNames(
  from: Transfer['from'],
  { stages }: Plan,
  clock: Clock,
): (item: Item) => Promise<string | undefined> {
  if (!('server' in from)) {
    const kindOf = kindsAmong(stages.flat(), new StoredForms(clock));
    return async (item) => kindOf(item)?.resource.resource;
  }
  const mapper = new RestMapper(from.server.discovery);
  return async ({ group, version, kind }) => (await mapper.resourceForKind({ group, version, kind })).resource.resource;
}

async function readItems(from: Transfer['from'], withSecrets: boolean, parts: TransferParts): Promise<ClusterItems> {
  if (!('server' in from)) return itemsInFiles(from.paths, withSecrets);
  const { transport, discovery } = from.server;
  const { namespace, revisionOf } = from;
  const { progress, signal } = parts;
  return itemsOfCluster({ transport, discovery, withSecrets, namespace, revisionOf, progress, signal });
}
