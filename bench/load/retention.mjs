/**
 * What it costs to keep history: the CPU of a status patch of a 4 KB pod through a server over the embedded store, and of what becomes of the
 * value that it supersedes. A store without retention removes it; one that keeps a day replaces it by its difference after 15 minutes. Both are
 * measured on copies of the same store, without the server.
 * Figures: microseconds of CPU for one revision, and the difference of the two ways as a share of the write.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { print, timed } from '../support/figures.mjs';
import { root, Server, Store } from '../support/server.mjs';

const { values } = parseArgs({
  options: { revisions: { type: 'string', default: '20000' }, writers: { type: 'string', default: '16' } },
});
const revisions = Number(values.revisions);
const writers = Number(values.writers);
const load = (path) => import(pathToFileURL(join(root, 'packages/kv/dist', path)).href);
const { openEmbeddedKV } = await load('embedded/index.js');
const { openEnvironment } = await load('embedded/environment.js');
const { EmbeddedBackend } = await load('embedded/backend.js');

const EVENTS_PER_COMMIT = 1000;
const env = Array.from({ length: 20 }, (_, index) => ({
  name: `SETTING_${index}`,
  value: `value-${index}-${'x'.repeat(30)}`,
}));
const pod = (name) => ({
  metadata: { name },
  spec: { containers: [{ name: 'web', image: 'example.com/web:1', env }] },
});

/** Microseconds of CPU of this process for one revision. */
async function costOf(act) {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / revisions);
}

const store = await Store.open('embedded');
try {
  const flags = [
    '--history-retention=0',
    '--controllers=',
    '--scheduler=false',
    '--disable-admission-plugins=ServiceAccount',
  ];
  const server = await Server.start(store, { flags });
  const client = server.connect();
  const pods = '/api/v1/namespaces/default/pods';
  const names = Array.from({ length: writers }, (_, index) => `pod-${index}`);
  for (const name of names) await client.send('POST', pods, JSON.stringify(pod(name)));
  const { cpuSeconds } = await timed(server, () =>
    Promise.all(
      names.map(async (name) => {
        for (let index = 0; index < revisions / writers; index += 1) {
          const body = JSON.stringify({ status: { phase: 'Running', message: `step ${index}` } });
          await client.send('PATCH', `${pods}/${name}/status`, body, 'application/merge-patch+json');
        }
      }),
    ),
  );
  client.close();
  await server.stop();

  const directory = join(store.folder, 'data/store');
  const copy = join(store.folder, 'copy');
  await cp(directory, copy, { recursive: true });
  const kv = await openEmbeddedKV({ directory });
  const remove = await costOf(async () => kv.compact(await kv.currentRevision()));
  await kv.close();
  const lock = { checkPlace: () => undefined, release: () => undefined };
  const backend = new EmbeddedBackend(await openEnvironment(copy, undefined), lock);
  const { revision } = backend.initialState();
  const condense = await costOf(async () => {
    const { condenser } = backend;
    while (condenser.condensedRevision < revision) {
      await condenser.condense(Math.min(revision, condenser.condensedRevision + EVENTS_PER_COMMIT));
    }
  });
  await backend.close();
  const write = Math.round((cpuSeconds * 1e6) / revisions);
  print({ write, remove, condense, share: Number(((condense - remove) / write).toFixed(3)) });
} finally {
  await store.close();
}
