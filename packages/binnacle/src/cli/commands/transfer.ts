import { systemClock } from '@binnacle/apimachinery/clock';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { loadConfig } from '@binnacle/client/kubeconfig';
import { connect, type Transport } from '@binnacle/client/transport';
import { HistoryClient } from '../../history/index.js';
import type { ExportTarget, RequestOf, Scope, ServerChoice } from '../../history/requests/index.js';
import { runTransfer, type ServerEnd, type Transfer } from '../../transfer/index.js';
import type { ImportRequest } from '../../transfer/requests/index.js';
import { ProgressLine } from './progress-line.js';
import { printFailure } from './print-message.js';

/** `binnacle import`: resolves with the exit code. */
export async function importCommand({ from, to, ...options }: ImportRequest): Promise<number> {
  return withServers(async (open) => {
    const target = await open(to);
    const source = 'server' in from ? { server: await open(from.server) } : from;
    return { ...options, from: source, to: target };
  });
}

/** `binnacle export` to files or another server: resolves with the exit code. */
export async function exportCommand(
  { at, scope }: Pick<RequestOf<'export'>, 'at'> & { readonly scope: Scope },
  { from, to, ...options }: ExportTarget,
): Promise<number> {
  return withServers(async (open) => {
    const target = 'server' in to ? await open(to.server) : to;
    if ('path' in from) return { ...options, from: { paths: [from.path] }, to: target };
    const { kubeconfig, namespace } = scope;
    const server = await open({ ...from, ...(kubeconfig === undefined ? {} : { kubeconfig }) });
    const past = new HistoryClient(server.transport, () => systemClock.now());
    const revisionOf =
      at && ((resource: Parameters<HistoryClient['revisionAt']>[0]['resource']) => past.revisionAt({ resource }, at));
    return { ...options, from: { server, namespace, revisionOf }, to: target };
  });
}

/** Runs a transfer between servers that it closes at the end. */
async function withServers(
  prepare: (open: (choice: ServerChoice) => Promise<ServerEnd>) => Promise<Transfer>,
): Promise<number> {
  const line = new ProgressLine(process.stderr, () => systemClock.monotonic());
  const opened: Transport[] = [];
  const open = async ({ kubeconfig, context }: ServerChoice): Promise<ServerEnd> => {
    const config = await loadConfig({
      ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
      ...(context === undefined ? {} : { context }),
    });
    const transport = connect(config, { userAgent: 'binnacle/transfer', onWarning: () => undefined });
    opened.push(transport);
    return { transport, discovery: new DiscoveryClient(transport), server: config.server, namespace: config.namespace };
  };
  // A reader such as head may end first; the work continues.
  process.stdout.on('error', () => undefined);
  try {
    const transfer = await prepare(open);
    const done = await runTransfer(transfer, {
      print: (text) => {
        line.end();
        process.stdout.write(text);
      },
      progress: (step, done, total) => line.update(step, done, total),
      clock: systemClock,
    });
    return done ? 0 : 1;
  } catch (error) {
    line.end();
    printFailure(error);
    return 1;
  } finally {
    await Promise.all(opened.map((transport) => transport.close()));
  }
}
