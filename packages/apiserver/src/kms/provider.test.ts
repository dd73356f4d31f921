import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { status } from '@grpc/grpc-js';
import { gcm, type ReadValue, TransformError } from '../transformers/index.js';
import { FakePlugin, recordingObserver } from './fake-plugin.testing.js';
import { DATA_KEY, encodeEncryptedObject } from './messages.js';
import { KmsProvider } from './provider.js';

const place = { key: '/registry/secrets/default/a', resource: 'secrets' };
const value = Buffer.from('{"kind":"Secret"}');

function provider(plugin = new FakePlugin(), clock = new VirtualClock()) {
  const observer = recordingObserver();
  const failures: string[] = [];
  const failed = (error: unknown): void => void failures.push(String(error));
  return { plugin, clock, observer, failures, kms: new KmsProvider({ name: 'one', plugin, clock, observer, failed }) };
}

async function read(kms: KmsProvider, stored: Uint8Array): Promise<ReadValue> {
  const { value: bytes, isStale } = await kms.read(stored, place);
  return { value: Buffer.from(bytes), isStale };
}

describe('KmsProvider', () => {
  it('reads its own values without the plugin, and those of others with one call for each key', async () => {
    const { kms, plugin, observer } = provider();
    await kms.start();
    const stored = kms.write(value, place);
    assert.ok(!(kms.read(stored, place) instanceof Promise));
    assert.deepEqual(await read(kms, stored), { value, isStale: false });
    assert.deepEqual(plugin.calls, ['status', 'encrypt']);

    const other = provider();
    await other.kms.start();
    const many = await Promise.all([read(other.kms, stored), read(other.kms, stored)]);
    assert.deepEqual(many, [
      { value, isStale: false },
      { value, isStale: false },
    ]);
    assert.deepEqual(other.plugin.calls, ['status', 'encrypt', 'decrypt']);
    assert.ok(!(other.kms.read(stored, place) instanceof Promise));
    assert.deepEqual(observer.seen.slice(2), [
      'cached one 1',
      'used one to_storage key-1',
      'used one from_storage key-1',
      'used one from_storage key-1',
    ]);
    assert.ok(other.observer.seen.includes('missed'));
  });

  it('marks values of another key, and those without a seed, as stale', async () => {
    const { kms, plugin, clock } = provider();
    await kms.start();
    const stored = kms.write(value, place);
    plugin.keyId = 'key-2';
    await clock.advance(60_000);
    assert.deepEqual(await read(kms, stored), { value, isStale: true });
    assert.deepEqual(await read(kms, kms.write(value, place)), { value, isStale: false });

    const key = new Uint8Array(32).fill(9);
    const source = { ciphertext: Uint8Array.from(key).reverse(), keyId: 'key-2', annotations: new Map() };
    const data = gcm(key).write(value, place);
    assert.deepEqual(await read(kms, encodeEncryptedObject({ data, source, sourceType: DATA_KEY })), {
      value,
      isStale: true,
    });
  });

  it('checks every minute, and every ten seconds after a failure', async () => {
    const { kms, plugin, clock, failures } = provider();
    await kms.start();
    const checks = (): number => plugin.calls.filter((call) => call === 'status').length;
    assert.equal(checks(), 1);
    await clock.advance(60_000);
    assert.equal(checks(), 2);
    plugin.fails = status.UNAVAILABLE;
    await clock.advance(60_000);
    assert.equal(checks(), 3);
    assert.equal(failures.length, 1);
    await clock.advance(10_000);
    assert.equal(checks(), 4);
    kms[Symbol.dispose]();
    await clock.advance(120_000);
    assert.equal(checks(), 4);
    assert.equal(plugin.isClosed, true);
  });

  it('writes and reads nothing before the plugin has answered once', async () => {
    const plugin = new FakePlugin();
    plugin.fails = status.UNAVAILABLE;
    const { kms, failures } = provider(plugin);
    await kms.start();
    assert.equal(failures.length, 1);
    const failure = new TransformError('got unexpected nil transformer');
    assert.throws(() => kms.write(value, place), { message: failure.message, isTransient: true });
    const other = provider();
    await other.kms.start();
    const stored = other.kms.write(value, place);
    assert.throws(() => kms.read(stored, place), { message: failure.message, isTransient: true });
  });

  it('stops writing three minutes after the plugin went away, and goes on reading', async () => {
    const { kms, plugin, clock } = provider();
    await kms.start();
    const stored = kms.write(value, place);
    plugin.fails = status.UNAVAILABLE;
    await clock.advance(170_000);
    kms.write(value, place);
    await clock.advance(20_000);
    assert.throws(() => kms.write(value, place), /expired at/);
    assert.deepEqual(await read(kms, stored), { value, isStale: false });
  });

  for (const [code, isTransient] of [
    [status.UNAVAILABLE, true],
    [status.UNKNOWN, true],
    [status.INVALID_ARGUMENT, false],
    [status.NOT_FOUND, false],
  ] as const) {
    it(`a plugin that answers ${status[code]} fails the read`, async () => {
      const { kms } = provider();
      await kms.start();
      const stored = kms.write(value, place);
      const other = provider();
      await other.kms.start();
      other.plugin.fails = code;
      await assert.rejects(
        read(other.kms, stored),
        (error) =>
          error instanceof TransformError &&
          /^failed to decrypt DEK, error: rpc error: code = \w+ desc = no luck$/.test(error.message) &&
          error.isTransient === isTransient,
      );
      other.plugin.fails = undefined;
      assert.deepEqual(await read(other.kms, stored), { value, isStale: false });
    });
  }

  it('refuses bytes that no server has written', async () => {
    const { kms } = provider();
    await kms.start();
    const stored = kms.write(value, place);
    for (const [bytes, message] of [
      [Buffer.from('0a', 'hex'), 'proto: cannot parse invalid wire-format data'],
      [Buffer.alloc(0), 'encrypted data is empty'],
      [Buffer.from('0a01ff', 'hex'), 'failed to validate encrypted DEK source: encrypted DEK source is empty'],
      [Buffer.concat([stored, Buffer.from('2807', 'hex')]), 'unknown encryptedDEKSourceType: 7'],
    ] as const) {
      assert.throws(() => kms.read(bytes, place), new TransformError(message));
    }
    assert.throws(() => kms.read(stored, { ...place, key: '/b' }), /message authentication failed/);
  });
});
