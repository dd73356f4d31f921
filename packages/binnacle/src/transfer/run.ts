import type { Clock } from '@binnacle/apimachinery/clock';
import { type ApiResource, type DiscoveryClient, RestMapper } from '@binnacle/client/discovery';
import type { Transport } from '@binnacle/client/transport';
import { type ClusterItems, itemsOfCluster } from './cluster-source.js';
import { exportToFolder } from './export-folder.js';
import { itemsInFiles } from './folder-source.js';
import { importObjects } from './import-objects.js';
import { planImport } from './plan.js';
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
  readonly to: { readonly folder: string } | ServerEnd;
}

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
  if ('folder' in to) {
    if (!('server' in from)) throw new Error('the objects to export come from a server');
    const mapper = new RestMapper(from.server.discovery);
    const resourceOf = async ({ group, version, kind }: { group: string; version: string; kind: string }) =>
      (await mapper.resourceForKind({ group, version, kind })).resource.resource;
    const written = await exportToFolder(plan, to.folder, resourceOf, parts.progress);
    const report = { written, leftOut: plan.leftOut, unread };
    parts.print(output === 'json' ? jsonReport(report) : textExportReport(report, to.folder));
    return unread.length === 0;
  }
  const { transport, discovery, namespace = 'default' } = to;
  const imported = await importObjects(plan, { ...parts, transport, discovery, namespace, overwrite, dryRun });
  const report: Report = { ...imported, dryRun, leftOut: plan.leftOut, unread };
  parts.print(output === 'json' ? jsonReport(report) : textReport(report));
  return report.failed.length === 0 && unread.length === 0;
}

async function readItems(from: Transfer['from'], withSecrets: boolean, parts: TransferParts): Promise<ClusterItems> {
  if (!('server' in from)) return itemsInFiles(from.paths, withSecrets);
  const { transport, discovery } = from.server;
  const { namespace, revisionOf } = from;
  const { progress, signal } = parts;
  return itemsOfCluster({ transport, discovery, withSecrets, namespace, revisionOf, progress, signal });
}
