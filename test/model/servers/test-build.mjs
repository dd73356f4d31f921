/**
 * The unchanged server over a degraded store. Its events can arrive after the write has returned, as from a remote
 * store, or it breaks its contract in one planted way.
 */
import { startServer } from '@binnacle/apiserver';
import { openEmbeddedKV } from '@binnacle/kv/embedded';
import { openMemoryKV } from '@binnacle/kv/memory';
import { assemble } from '../../../packages/binnacle/dist/embed/assemble.js';
import { defaultParts } from '../../../packages/binnacle/dist/embed/start.js';
import { CONNECTION_LOST, flakyKV } from './flaky-kv.mjs';
import { laggingKV } from './lagging-kv.mjs';
import { plantBug, serverOptionsFor } from './planted-bugs.mjs';
import { proxyKV } from './proxy-kv.mjs';
import { token, writeTokenFile } from './access.mjs';

/** Prints no stack for failures that a flaky store makes on purpose. */
function report(error, path) {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (!text.includes(CONNECTION_LOST)) process.stderr.write(`${path}: ${text}\n`);
}

/**
 * @param {{ folder: string, dataDirectory?: string, port?: number, lagMs?: number, flaky?: boolean,
 *   bug?: string, kv?: import('@binnacle/kv').KV }} options
 *   without a data directory everything is in memory, or in `kv`, which is then not closed; `lagMs` is the longest
 *   delay of an event
 */
export async function startTestBuild({ folder, dataDirectory, port = 0, lagMs = 0, flaky = false, bug, kv: living }) {
  let kv = living;
  let ready = false;
  const server = await assemble(
    {
      ...(dataDirectory === undefined ? { inMemory: true } : { dataDirectory }),
      securePort: port,
      tokenAuthFile: writeTokenFile(folder),
      // Only the clients may change what they see.
      controllers: '',
    },
    {
      ...defaultParts,
      startServer: (options) => startServer({ ...options, ...serverOptionsFor(bug), report }),
      openStore: async (location) => {
        kv ??= location.type === 'embedded' ? await openEmbeddedKV({ directory: location.directory }) : openMemoryKV();
        if (living !== undefined) kv = proxyKV(living, { close: () => Promise.resolve() });
        // The start has to succeed: a failed start would only be repeated, and test nothing.
        const reached = flaky ? flakyKV(kv, () => ready) : kv;
        const lagging = lagMs === 0 ? reached : laggingKV(reached, lagMs);
        return bug === undefined ? lagging : plantBug(bug, lagging);
      },
    },
  );
  ready = true;
  return {
    port: server.port,
    access: { url: server.url, ca: server.clientConfig.certificateAuthority, token },
    /** Resolves the revision before which history is compacted. */
    compact: async (back) => {
      const { revision, compactedRevision } = await kv.status();
      const target = Math.max(compactedRevision, revision - back, 1);
      await kv.compact(target);
      return target;
    },
    stop: () => server.stop(),
  };
}
