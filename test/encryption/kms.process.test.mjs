/** A key service that encrypts the keys of stored objects. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '@binnacle/client/testing';
import { start } from 'binnacle';
import { Client } from '../etcd/client.mjs';
import { encryptionConfiguration, identity, kms } from './configuration.mjs';
import { KmsPlugin } from './plugin.mjs';

const SECRETS = '/api/v1/namespaces/default/secrets';
const limit = { timeout: 600_000 };
/** Of gRPC. */
const NOT_FOUND = 5;
const UNAVAILABLE = 14;

describe('a key service', () => {
  let folder;
  let plugin;
  let client;
  let server;

  const socket = (name = 'kms') => join(folder, `${name}.sock`);
  const file = () => join(folder, 'encryption.json');
  const configure = (...providers) => writeFile(file(), encryptionConfiguration({ secrets: providers }));
  const serve = async (options = {}) => {
    client?.close();
    await server?.stop();
    server = await start({
      dataDirectory: join(folder, 'data'),
      controllers: '',
      scheduler: false,
      encryptionProviderConfig: file(),
      ...options,
    });
    client = new Client(server);
  };
  const send = async (status, ...request) => {
    const answer = await client.send(...request);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    return answer.body;
  };
  const metrics = async (name) =>
    (await client.text('/metrics')).split('\n').filter((line) => line.startsWith(`apiserver_${name}`));

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kms-'));
    plugin = await new KmsPlugin(socket()).start();
    await configure(kms('one', socket()), identity);
    await serve();
  }, limit);
  after(async () => {
    client?.close();
    await server?.stop();
    plugin.stop();
    await rm(folder, { recursive: true });
  });

  it('is asked once at the start, and once for each key that it must decrypt', limit, async () => {
    await send(201, 'POST', SECRETS, { metadata: { name: 'a' }, stringData: { a: 'x' } });
    await send(201, 'POST', SECRETS, { metadata: { name: 'b' }, stringData: { a: 'y' } });
    await send(200, 'GET', SECRETS);
    assert.deepEqual(plugin.calls, { Encrypt: 1, Decrypt: 0, Status: 1 });
    await serve();
    const { items } = await send(200, 'GET', SECRETS);
    assert.deepEqual(
      items.map(({ data }) => data.a),
      [btoa('x'), btoa('y')],
    );
    assert.deepEqual(plugin.calls, { Encrypt: 2, Decrypt: 1, Status: 2 });
  });

  it('is checked by /readyz and /healthz, and not by /livez', limit, async () => {
    assert.equal(await client.text('/readyz/kms-providers'), 'ok');
    assert.match(await client.text('/healthz?verbose'), /\[\+\]kms-providers ok\n/);
    assert.doesNotMatch(await client.text('/livez?verbose'), /kms-providers/);
  });

  it('is counted under the names of upstream', limit, async () => {
    const operations = await metrics('envelope_encryption_kms_operations_latency_seconds_count');
    const label = (method, count) =>
      `apiserver_envelope_encryption_kms_operations_latency_seconds_count{grpc_status_code="OK",` +
      `method_name="/v2.KeyManagementService/${method}",provider_name="one"} ${count}`;
    assert.deepEqual(operations.sort(), [label('Decrypt', 1), label('Encrypt', 1), label('Status', 1)]);
    assert.deepEqual(await metrics('envelope_encryption_dek_source_cache_size'), [
      'apiserver_envelope_encryption_dek_source_cache_size{provider_name="one"} 1',
    ]);
    const [used] = await metrics('envelope_encryption_key_id_hash_total');
    assert.match(used, /apiserver_id_hash="sha256:\w{64}",key_id_hash="sha256:\w{64}",provider_name="one"/);
    for (const name of [
      'envelope_encryption_key_id_hash_last_timestamp_seconds',
      'envelope_encryption_key_id_hash_status_last_timestamp_seconds',
      'storage_envelope_transformation_cache_misses_total',
      'storage_data_key_generation_duration_seconds',
    ]) {
      assert.notDeepEqual(await metrics(name), [], name);
    }
  });

  it('that cannot decrypt fails reads, and works again when it can', limit, async () => {
    plugin.fails = UNAVAILABLE;
    await serve();
    const { message } = await send(500, 'GET', `${SECRETS}/a`);
    const reason = 'failed to decrypt DEK, error: rpc error: code = Unavailable desc = the key service is down';
    assert.equal(message, `Internal error occurred: ${reason}`);
    assert.equal(
      (await send(500, 'GET', SECRETS)).message,
      `Internal error occurred: unable to transform key "/registry/secrets/default/a": ${reason}`,
    );
    plugin.fails = undefined;
    // The cache is built again after a pause.
    await eventually(() => send(200, 'GET', SECRETS), { timeout: 60_000 });
    await send(200, 'GET', `${SECRETS}/a`);
  });

  it('that has lost a key fails only what needs it', limit, async () => {
    await serve();
    await send(200, 'GET', SECRETS);
    plugin.keyId = 'key-2';
    await serve();
    await send(201, 'POST', SECRETS, { metadata: { name: 'new' } });
    plugin.fails = NOT_FOUND;
    await serve();
    assert.match((await send(500, 'GET', `${SECRETS}/new`)).message, /failed to decrypt DEK.*NotFound/);
    await send(201, 'POST', SECRETS, { metadata: { name: 'newer' } });
    await send(200, 'GET', `${SECRETS}/newer`);
    await send(500, 'GET', SECRETS);
    plugin.fails = undefined;
    await send(200, 'GET', SECRETS);
  });

  it('that is away at the start makes the server unready, and secrets unreadable', limit, async () => {
    plugin.stop();
    await configure({ ...kms('one', socket('none')) }, identity);
    await serve();
    assert.match(
      await client.text('/readyz/kms-providers'),
      /^internal server error: kms-provider-0: failed to perform status section of the healthz check for KMS Provider one, error: rpc error: code = /,
    );
    assert.equal(await client.text('/livez'), 'ok');
    assert.equal(
      (await send(500, 'POST', SECRETS, { metadata: { name: 'c' } })).message,
      'Internal error occurred: got unexpected nil transformer',
    );
    await send(500, 'GET', `${SECRETS}/a`);
    await send(201, 'POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'c' } });
  });

  it('can be replaced without a restart, once it is healthy', limit, async () => {
    plugin = await new KmsPlugin(socket('later')).start();
    await configure(kms('one', socket('later')), identity);
    await serve({ encryptionProviderConfigAutomaticReload: true });
    await send(200, 'GET', SECRETS);
    const other = new KmsPlugin(socket('other'));
    other.healthz = 'sick';
    const asked = new Promise((resolve) => (other.called = resolve));
    await other.start();
    await configure(kms('two', socket('other')), kms('one', socket('later')), identity);
    await asked;
    const writers = async () => {
      await send(200, 'PUT', `${SECRETS}/a`, await send(200, 'GET', `${SECRETS}/a`));
      const used = await metrics('envelope_encryption_key_id_hash_total');
      return used.filter((line) => line.includes('to_storage')).map((line) => /provider_name="(\w+)"/.exec(line)[1]);
    };
    assert.ok(!(await writers()).includes('two'));
    other.healthz = 'ok';
    await eventually(async () => assert.ok((await writers()).includes('two')), { timeout: 60_000 });
    await send(200, 'GET', SECRETS);
    other.stop();
  });
});
