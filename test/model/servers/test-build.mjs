/**
 * The server as it is, over a store that can be made worse: events come later than the write that made them returns, as
 * those of a store elsewhere do, or the store breaks its contract in one planted way.
 */
import { startServer } from '@binnacle/apiserver/server';
import { openEmbeddedKV } from '@binnacle/kv/embedded';
import { openMemoryKV } from '@binnacle/kv/memory';
import { assemble } from '../../../packages/binnacle/dist/embed/assemble.js';
import { laggingKV } from './lagging-kv.mjs';
import { plantBug } from './planted-bugs.mjs';
import { proxyKV } from './proxy-kv.mjs';
import { token, writeTokenFile } from './access.mjs';

/**
 * @param {{ folder: string, dataDirectory?: string, port?: number, lagMs?: number, bug?: string,
 *   kv?: import('@binnacle/kv/interface').KV }} options
 *   without a data directory everything is in memory, or in `kv`, which is then not closed; `lagMs` is the longest
 *   delay of an event
 */
export async function startTestBuild({ folder, dataDirectory, port = 0, lagMs = 0, bug, kv: living }) {
  let kv = living;
  const server = await assemble(
    {
      ...(dataDirectory === undefined ? { inMemory: true } : { dataDirectory }),
      securePort: port,
      tokenAuthFile: writeTokenFile(folder),
    },
    {
      startServer,
      openStore: async (directory) => {
        kv ??= directory === undefined ? openMemoryKV() : await openEmbeddedKV({ directory });
        if (living !== undefined) kv = proxyKV(living, { close: () => Promise.resolve() });
        const lagging = lagMs === 0 ? kv : laggingKV(kv, lagMs);
        return bug === undefined ? lagging : plantBug(bug, lagging);
      },
    },
  );
  return {
    port: server.port,
    access: { url: server.url, ca: server.clientConfig.certificateAuthority, token },
    /** Resolves the revision before which history is forgotten. */
    compact: async (back) => {
      const { revision, compactedRevision } = await kv.status();
      const target = Math.max(compactedRevision, revision - back);
      await kv.compact(target);
      return target;
    },
    stop: () => server.stop(),
  };
}
