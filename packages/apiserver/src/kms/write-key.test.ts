import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { status } from '@grpc/grpc-js';
import { FakePlugin, recordingObserver } from './fake-plugin.testing.js';
import { WriteKey } from './write-key.js';

function writeKey() {
  const plugin = new FakePlugin();
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const observer = recordingObserver();
  return { plugin, clock, observer, key: new WriteKey({ provider: 'one', plugin, clock, observer }) };
}

describe('WriteKey', () => {
  it('makes a seed, and another one only when the plugin has another key', async () => {
    const { plugin, clock, key, observer } = writeKey();
    await key.check();
    const first = key.current;
    assert.equal(first?.encrypted.keyId, 'key-1');
    assert.equal(first.seed.length, 32);
    await clock.advance(20_001);
    await key.check();
    assert.equal(key.current, first);
    plugin.keyId = 'key-2';
    await clock.advance(20_001);
    await key.check();
    assert.equal(key.current?.encrypted.keyId, 'key-2');
    assert.notDeepEqual(key.current.seed, first.seed);
    assert.deepEqual(plugin.calls, ['status', 'encrypt', 'status', 'status', 'encrypt']);
    assert.deepEqual(observer.seen, [
      'reported one key-1',
      'generated',
      'reported one key-1',
      'reported one key-2',
      'generated',
    ]);
  });

  it('asks again after 20 seconds, or 3 after a failure', async () => {
    const { plugin, clock, key } = writeKey();
    await key.check();
    await clock.advance(19_999);
    await key.check();
    assert.equal(plugin.calls.length, 2);
    await clock.advance(2);
    plugin.fails = status.UNAVAILABLE;
    const failure = {
      message:
        'failed to perform status section of the healthz check for KMS Provider one, error: rpc error: code = Unavailable desc = no luck',
    };
    await assert.rejects(key.check(), failure);
    plugin.fails = undefined;
    await assert.rejects(key.check(), failure);
    assert.equal(plugin.calls.length, 3);
    await clock.advance(3_001);
    await key.check();
  });

  it('expires three minutes after the last success', async () => {
    const { plugin, clock, key } = writeKey();
    await key.check();
    plugin.healthz = 'sick';
    await clock.advance(180_000);
    await assert.rejects(key.check(), {
      message: 'kmsv2 Provider one is not healthy, error: got unexpected healthz status: sick',
    });
    // The status names the same key, which upstream accepts as a sign of life.
    key.checkUsable();
    plugin.fails = status.DEADLINE_EXCEEDED;
    await clock.advance(180_001);
    await assert.rejects(key.check(), /DeadlineExceeded/);
    assert.throws(
      () => key.checkUsable(),
      /^Error: encryptedDEKSource with keyID hash "sha256:[0-9a-f]{64}" expired at 2026-01-01T00:06:00Z \(current time is 2026-01-01T00:06:00Z\)$/,
    );
    assert.equal(key.current?.encrypted.keyId, 'key-1', 'values can be read');
  });

  for (const [change, message] of [
    [(plugin: FakePlugin) => (plugin.version = 'v1'), 'expected KMSv2 API version v2, got v1'],
    [(plugin: FakePlugin) => (plugin.keyId = ''), 'got invalid KMSv2 KeyID hash "": keyID is empty'],
    [
      (plugin: FakePlugin) => (plugin.keyId = 'x'.repeat(1025)),
      /got invalid KMSv2 KeyID hash "sha256:[0-9a-f]+": keyID is 1025 bytes, which exceeds the max size of 1024$/,
    ],
    [
      (plugin: FakePlugin) =>
        (plugin.encrypted = { ciphertext: Uint8Array.of(1), keyId: 'other', annotations: new Map() }),
      /failed to rotate DEK, errGen=<nil>, statusKeyIDHash="sha256:/,
    ],
    [
      (plugin: FakePlugin) =>
        (plugin.encrypted = { ciphertext: new Uint8Array(), keyId: 'key-1', annotations: new Map() }),
      /errGen=failed to validate encrypted DEK source: encrypted DEK source is empty,/,
    ],
    [
      (plugin: FakePlugin) =>
        (plugin.encrypted = {
          ciphertext: Uint8Array.of(1),
          keyId: 'key-1',
          annotations: new Map([
            ['short', Uint8Array.of(1)],
            ['a.b', new Uint8Array(33_000)],
          ]),
        }),
      /failed to validate annotations: \[annotations: Invalid value: "short": .*, total size of annotations is 33009, which exceeds the max size of 32768\]/,
    ],
  ] as const) {
    it(`is unhealthy: ${String(message)}`, async () => {
      const { plugin, key } = writeKey();
      change(plugin);
      await assert.rejects(
        key.check(),
        (error) =>
          error instanceof Error &&
          error.message.startsWith('kmsv2 Provider one is not healthy, error: ') &&
          (typeof message === 'string' ? error.message.endsWith(message) : message.test(error.message)),
      );
    });
  }

  it('does not accept another version later', async () => {
    const { plugin, clock, key } = writeKey();
    plugin.version = 'v2beta1';
    await key.check();
    plugin.version = 'v2';
    await clock.advance(20_001);
    await assert.rejects(
      key.check(),
      /API version should not change after the initial status response version v2beta1, got v2$/,
    );
  });
});
