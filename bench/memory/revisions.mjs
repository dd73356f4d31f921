/**
 * The cost of history on disk: bytes of the embedded store for each revision of a pod of 4 KB whose status changes, of a lease that is renewed, and
 * of a Deployment that is scaled: as written, and once old values are condensed. Keeps all history, and also says the size of the object itself.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DynamicClient } from '@binnacle/client/dynamic';
import { connect } from '@binnacle/client/transport';
import { checkStore, compactStore } from '@binnacle/kv/embedded/maintenance';
import { start } from 'binnacle';
import { print } from '../support/figures.mjs';

const { values } = parseArgs({
  options: { revisions: { type: 'string', default: '5000' }, writers: { type: 'string', default: '16' } },
});
const revisions = Number(values.revisions);
const writers = Number(values.writers);

const container = {
  name: 'web',
  image: 'example.com/web:1',
  env: Array.from({ length: 20 }, (_, index) => ({
    name: `SETTING_${index}`,
    value: `value-${index}-${'x'.repeat(30)}`,
  })),
};
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } };
const cases = [
  {
    name: 'pod status',
    resource: { group: '', version: 'v1', resource: 'pods' },
    object: { apiVersion: 'v1', kind: 'Pod', spec: template.spec },
    subresource: 'status',
    change: (index) => ({ status: { phase: 'Running', message: `step ${index}` } }),
  },
  {
    name: 'lease',
    resource: { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' },
    object: {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      spec: { holderIdentity: 'a', leaseDurationSeconds: 40 },
    },
    change: (index) => ({
      spec: { renewTime: new Date(1_800_000_000_000 + index * 1000).toISOString().replace('Z', '000Z') },
    }),
  },
  {
    name: 'deployment scale',
    resource: { group: 'apps', version: 'v1', resource: 'deployments' },
    object: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: { selector: { matchLabels: { app: 'web' } }, template },
    },
    change: (index) => ({ spec: { replicas: 1 + (index % 2) } }),
  },
];

for (const { name, resource, object, subresource, change } of cases) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-revisions-'));
  const server = await start({
    dataDirectory: folder,
    controllers: '',
    scheduler: false,
    historyRetentionMs: 0,
    disableAdmissionPlugins: 'ServiceAccount',
  });
  const transport = connect(server.clientConfig);
  const client = new DynamicClient(transport).resource(resource).namespace('default');
  const changed = subresource === undefined ? client : client.subresource(subresource);
  const directory = join(folder, 'store');
  const names = Array.from({ length: writers }, (_, index) => `object-${index}`);
  for (const each of names) await client.create({ ...object, metadata: { name: each } });
  const before = await checkStore({ directory });
  await Promise.all(
    names.map(async (each) => {
      for (let index = 0; index < revisions / writers; index += 1) {
        await changed.patch(each, { type: 'merge', body: change(index) });
      }
    }),
  );
  const after = await checkStore({ directory });
  const written = after.revision - before.revision;
  const [last] = (await client.list()).items;
  await transport.close();
  await server.stop();
  const condensed = await compactStore({ directory, keepSince: 0 });
  const withoutHistory = await compactStore({ directory });
  print({
    name,
    revisions: written,
    bytesOfRevision: Math.round((after.fileBytes - before.fileBytes) / written),
    bytesOfObject: JSON.stringify(last).length,
    bytesOfCondensedRevision: Math.round((condensed.bytesAfter - withoutHistory.bytesAfter) / written),
  });
  await rm(folder, { recursive: true });
}
