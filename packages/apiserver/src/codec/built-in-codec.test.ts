import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindSchema } from '@binnacle/api/table';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { finish, type Steps } from '@binnacle/apimachinery/work';
import { BuiltInCodec } from './built-in-codec.js';

const kind = { group: '', version: 'v1', kind: 'Pod' };
const schema = kindSchema(kind);
assert.ok(schema !== undefined);
const codec = new BuiltInCodec(kind, schema);

function podOf(spec: JsonObject): JsonObject {
  return { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a' }, spec };
}

/** The result, and how often the computation yielded. */
function counted<T>(steps: Steps<T>): { result: T; yields: number } {
  for (let yields = 0; ; yields++) {
    const step = steps.next();
    if (step.done === true) return { result: step.value, yields };
  }
}

const many = Array.from({ length: 20_000 }, (_, index) => index);

describe('BuiltInCodec', () => {
  const specs: readonly (readonly [string, JsonObject])[] = [
    ['a long list of structs', { containers: many.map(() => ({})) }],
    ['a long list of texts', { containers: [{ name: 'a', args: many.map(String) }] }],
    ['a long map', { nodeSelector: Object.fromEntries(many.map((index) => [`k${index}`, 'v'])) }],
  ];
  for (const [name, spec] of specs) {
    it(`decodes ${name} in steps, to the same object`, () => {
      const { result, yields } = counted(codec.decodeInSteps(podOf(spec)));
      assert.ok(yields >= 20, String(yields));
      assert.deepEqual(result, codec.decode(podOf(spec)));
      assert.deepEqual(result.object['spec'], spec);
    });
  }

  it('sets the defaults of a long list in steps', () => {
    const { object } = codec.decode(podOf({ containers: many.map(() => ({})) }));
    assert.ok(counted(codec.applyDefaultsInSteps(object)).yields >= 20);
    const { containers } = object['spec'] as { containers: JsonObject[] };
    assert.ok(containers.every(({ terminationMessagePolicy }) => terminationMessagePolicy === 'File'));
  });

  it('reads stored JSON with times of which the year has no four digits', () => {
    for (const [text, nearest] of [
      ['10000-01-01T00:30:00', '9999-12-31T23:59:59'],
      ['-0001-12-31T23:30:00', '0000-01-01T00:00:00'],
    ] as const) {
      const condition = { type: 'a', status: 'True', lastProbeTime: `${text}Z` };
      const managedFields = [{ manager: 'm', time: `${text}Z` }];
      const document = {
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: { managedFields },
        status: { conditions: [condition] },
      };
      const { metadata, status } = codec.decodeStored(document) as unknown as typeof document;
      assert.equal(metadata.managedFields[0]?.time, `${nearest}Z`);
      assert.equal(status.conditions[0]?.lastProbeTime, `${nearest}Z`);
      assert.throws(() => codec.decode(document), /cannot parse/);
    }
  });

  it('reads a stored time that JSON cannot express', async () => {
    const last = Buffer.from('{"metadata":{"creationTimestamp":"9999-12-31T23:59:59Z"}}');
    await codec.decodeProtobuf(new Uint8Array());
    const message = Buffer.from(codec.encodeMessage(last));
    // The most significant byte of the seconds.
    const seconds = message.indexOf(Buffer.from([0xff, 0x82, 0xd1, 0xff, 0xaf, 0x07]));
    message[seconds + 5] = 0x70;
    assert.equal(codec.decodeMessage(message).metadata.creationTimestamp, '9999-12-31T23:59:59Z');
    await assert.rejects(
      codec.decodeProtobuf(message).then((steps) => finish(steps)),
      /year outside of range/,
    );
  });
});
