import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { openMemoryKV } from '@binnacle/kv/memory';
import { Encryption } from './encryption.js';
import { EncryptionObserver, hashOf } from './observer.js';

const key = '/registry/secrets/a';

const configuration = (...names: readonly string[]): string => {
  const keys = names.map((name) => ({ name, secret: Buffer.alloc(32, name).toString('base64') }));
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources: ['secrets'], providers: [{ aesgcm: { keys } }] }],
  });
};

async function opened(text: string, reloads: boolean) {
  const clock = new VirtualClock();
  const registry = new MetricRegistry();
  const reports: string[] = [];
  const file = { text };
  const encryption = await Encryption.open({
    read: async () => file.text,
    reloads,
    clock,
    observer: new EncryptionObserver(registry, clock, 'test'),
    report: (what, error) => void reports.push(`${what}: ${String(error)}`),
  });
  const kv = openMemoryKV();
  const store = encryption.storeOf({ group: '', resource: 'secrets' }, kv);
  let revision = 0;
  const written = async (): Promise<string> => {
    const operation = { type: 'put', value: Buffer.from('x') } as const;
    ({ revision } = await store.txn({ key, expectedRevision: revision, operation }));
    const { items } = await kv.range({ prefix: key, exact: true });
    return Buffer.from(items[0]?.value ?? []).toString('latin1');
  };
  const metrics = async (name: string): Promise<string[]> =>
    formatText(await registry.gather())
      .split('\n')
      .filter((line) => line.startsWith(`apiserver_encryption_config_controller_${name}{`));
  return { clock, file, reports, encryption, store, written, metrics };
}

describe('Encryption', () => {
  it('keeps its configuration without a reload', async () => {
    const { clock, file, encryption, written } = await opened(configuration('a'), false);
    file.text = configuration('b');
    await clock.advance(60_000);
    assert.match(await written(), /^k8s:enc:aesgcm:v1:a:/);
    assert.deepEqual(encryption.healthChecks, []);
  });

  it('uses a changed file, and reads what the former one has written', async () => {
    const { clock, file, encryption, store, written, metrics } = await opened(configuration('a'), true);
    await written();
    file.text = configuration('b', 'a');
    await clock.advance(2000);
    const [old] = (await store.range({ prefix: key })).items;
    assert.equal(old?.storedAs, 'outdated');
    assert.match(await written(), /^k8s:enc:aesgcm:v1:b:/);
    const server = hashOf('test');
    assert.deepEqual(await metrics('automatic_reloads_total'), [
      `apiserver_encryption_config_controller_automatic_reloads_total{apiserver_id_hash="${server}",status="success"} 1`,
    ]);
    assert.deepEqual(await metrics('last_config_info'), [
      `apiserver_encryption_config_controller_last_config_info{apiserver_id_hash="${server}",hash="${hashOf(file.text)}"} 1`,
    ]);
    assert.deepEqual(
      encryption.healthChecks.map(({ name, roots }) => [name, roots]),
      [['kms-providers', ['healthz', 'readyz']]],
    );
    encryption[Symbol.dispose]();
  });

  it('keeps the former file when the changed one is wrong, reports it once, and tries again', async () => {
    const { clock, file, encryption, reports, written, metrics } = await opened(configuration('a'), true);
    for (const text of ['', '{}']) {
      file.text = text;
      await clock.advance(130_000);
      assert.match(await written(), /^k8s:enc:aesgcm:v1:a:/);
    }
    assert.deepEqual(reports, [
      'The changed file is not used: ConfigurationError: the file is empty',
      "The changed file is not used: ConfigurationError: Object 'Kind' is missing",
    ]);
    const [failures = ''] = await metrics('automatic_reloads_total');
    assert.match(failures, /status="failure"\} [4-9]$|status="failure"\} 1\d$/);
    file.text = configuration('b');
    await clock.advance(61_000);
    assert.match(await written(), /^k8s:enc:aesgcm:v1:b:/);
    encryption[Symbol.dispose]();
  });

  it('reads the file no more once it is disposed of', async () => {
    const { clock, file, encryption, reports } = await opened(configuration('a'), true);
    encryption[Symbol.dispose]();
    file.text = 'wrong';
    await clock.advance(10_000);
    await settle();
    assert.deepEqual(reports, []);
  });

  it('refuses a file that is wrong at the start', async () => {
    await assert.rejects(opened('', false), { message: 'the file is empty' });
    await assert.rejects(opened(configuration(), false), /at least one keys is required/);
  });
});
