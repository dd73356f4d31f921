import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import { connect, DynamicClient, type Transport } from '@binnacle/client';
import { type RunningBinnacle, start } from 'binnacle';
import { type ExtensionServer, startExtensionServer } from 'binnacle/extension';
import { type Flunder, flunders } from './definition.js';

const resource = { group: 'wardle.example.com', version: 'v1', resource: 'flunders' };

let cluster: RunningBinnacle;
let extension: ExtensionServer;
let transport: Transport;
before(async () => {
  cluster = await start({ inMemory: true, controllers: '' });
  const service = { name: 'wardle', namespace: 'default' };
  extension = await startExtensionServer({ cluster: cluster.clientConfig, definitions: [flunders], service });
  await extension.register();
  transport = connect(cluster.clientConfig);
  while (!(await isServed())) await pause(50);
});

async function isServed(): Promise<boolean> {
  return clientOf(transport)
    .list()
    .then(
      () => true,
      () => false,
    );
}

after(async () => {
  await transport.close();
  await extension.stop();
  await cluster.stop();
});

const flunder = (name: string, spec: object): Flunder => ({
  apiVersion: 'wardle.example.com/v1',
  kind: 'Flunder',
  metadata: { name, namespace: 'default' },
  spec: spec as Flunder['spec'],
});
const clientOf = (through: Transport) => new DynamicClient(through).resource(resource).namespace('default');
const code = (wanted: number) => (error: unknown) => error instanceof StatusError && error.code === wanted;

it('stores, defaults, validates and watches objects, behind the cluster', async () => {
  const client = clientOf(transport);
  const events: string[] = [];
  const watching = new AbortController();
  const watched = (async () => {
    for await (const { type, object } of client.watch({ signal: watching.signal })) {
      events.push(`${type} ${object.metadata.name ?? ''}`);
      if (type === 'DELETED') return;
    }
  })();
  const created = await client.create(flunder('one', { reference: 'two' }) as unknown as KubernetesObject);
  assert.deepEqual(created['spec'], { reference: 'two', referenceType: 'Flunder' });
  await assert.rejects(client.create(flunder('bad', { reference: 'none' }) as unknown as KubernetesObject), code(422));
  assert.equal((await client.list()).items.length, 1);
  await client.delete('one');
  await watched;
  watching.abort();
  assert.deepEqual(events.slice(-1), ['DELETED one']);
});

it('asks the cluster for the rights of users', async () => {
  const other = connect(cluster.clientConfig, { impersonate: { user: 'jane' } });
  try {
    await assert.rejects(clientOf(other).list(), code(403));
  } finally {
    await other.close();
  }
});

it('refuses direct requests of users that the cluster does not know', async () => {
  const { url: server, certificateAuthority } = extension;
  for (const [token, status] of [
    [cluster.clientConfig.token, 200],
    ['unknown', 401],
    [undefined, 403],
  ] as const) {
    const direct = connect({ server, certificateAuthority, token });
    const listed = clientOf(direct).list();
    await (status === 200 ? listed : assert.rejects(listed, code(status)));
    await direct.close();
  }
});
