import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { KVError, type KeyEvent, type KeyValue } from '../../interface/index.js';
import { decodeServerMessage, encodeServerMessage, type ServerMessage } from './answers.js';
import { ProtocolError } from './frame-reader.js';
import { FrameSplitter } from './frame-splitter.js';
import { MAX_FRAME_BYTES } from './limits.js';
import { type ClientMessage, decodeClientMessage, encodeClientMessage } from './requests.js';

const bodyOf = (frame: Buffer): Buffer => frame.subarray(4);

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const key = fc.string({ unit: 'binary', maxLength: 40 });
const revision = fc.oneof(fc.nat(), fc.maxSafeNat());
const tag = fc.integer({ min: 1, max: 0xffff_ffff });
/** A record with all of the required fields and some of the others. */
const someOf = <T>(required: object, optional: object): fc.Arbitrary<T> => {
  const fields = { ...required, ...optional } as Record<string, fc.Arbitrary<unknown>>;
  return fc.record(fields, { requiredKeys: Object.keys(required) }) as fc.Arbitrary<T>;
};

const form = { tag, storedAs: fc.constantFrom('other', 'outdated') };
const keyValue: fc.Arbitrary<KeyValue> = someOf(
  { key, value: bytes, createRevision: revision, modRevision: revision },
  form,
);
const keyEvent: fc.Arbitrary<KeyEvent> = someOf(
  { type: fc.constantFrom('put', 'delete'), key, createRevision: revision },
  { ...form, value: bytes, previous: keyValue },
);
const batch = fc.record({ revision, events: fc.array(keyEvent, { maxLength: 3 }) });
const damaged = fc.array(fc.record({ key, revision }), { minLength: 1, maxLength: 3 });
const id = fc.nat();
const yes = fc.constant(true);
const author = fc.record({ name: key, mark: key });
const pastEvent = someOf(
  { type: fc.constantFrom('put', 'delete'), key, createRevision: revision, revision },
  {
    ...form,
    value: bytes,
    previous: keyValue,
    time: revision,
    author,
  },
);

const clientMessages = fc.oneof(
  fc.record({
    id,
    type: fc.constant('range'),
    request: someOf(
      { prefix: key },
      {
        exact: yes,
        revision,
        limit: fc.nat(),
        from: key,
        countOnly: yes,
        keysOnly: yes,
        uncounted: yes,
        damaged: fc.constant('report'),
      },
    ),
  }),
  fc.record({
    id,
    type: fc.constant('txn'),
    request: someOf(
      {
        key,
        expectedRevision: revision,
        operation: fc.oneof(
          someOf({ type: fc.constant('put'), value: bytes }, { forDeletion: yes, ttlSeconds: fc.double(), tag }),
          someOf({ type: fc.constant('delete') }, { ignoreReadError: yes }),
        ),
      },
      { author, conditions: fc.array(fc.record({ key, expectedRevision: revision }), { maxLength: 3 }) },
    ),
  }),
  fc.record({
    id,
    type: fc.constant('watch'),
    request: someOf({ prefix: key, fromRevision: revision }, { withoutPrevious: yes }),
  }),
  fc.record({
    id,
    type: fc.constant('history'),
    request: someOf({ prefix: key, limit: fc.nat() }, { exact: yes, before: revision, after: revision }),
  }),
  fc.record({ id, type: fc.constant('compact'), revision }),
  fc.record({ id, type: fc.constant('revision-at'), time: fc.double({ noNaN: true }) }),
  fc.record({ id, type: fc.constantFrom('revision', 'status', 'health', 'cancel') }),
) as fc.Arbitrary<ClientMessage>;

const serverMessages = fc.oneof(
  fc.record({ type: fc.constant('hello'), version: fc.nat() }),
  fc.record({ type: fc.constant('commit'), batches: fc.array(batch, { maxLength: 3 }) }),
  fc.record({ type: fc.constant('batch'), id, batch }),
  fc.record({ type: fc.constantFrom('progress', 'joined', 'revision'), id, revision }),
  fc.record({ type: fc.constant('items'), id, items: fc.array(keyValue, { maxLength: 3 }) }),
  fc.record({
    type: fc.constant('range'),
    id,
    result: someOf(
      { revision, items: fc.array(keyValue, { maxLength: 3 }), count: revision, more: fc.boolean() },
      { damaged },
    ),
  }),
  fc.record({
    type: fc.constant('txn'),
    id,
    result: fc.oneof(
      someOf({ succeeded: fc.constant(true), revision }, { previous: keyValue }),
      someOf({ succeeded: fc.constant(false), revision }, { current: keyValue, unmet: key }),
    ),
  }),
  fc.record({
    type: fc.constant('status'),
    id,
    status: fc.record({ revision, compactedRevision: revision, sizeBytes: revision }),
  }),
  fc.record({
    type: fc.constant('history'),
    id,
    page: someOf(
      { events: fc.array(pastEvent, { maxLength: 3 }), revision, after: revision },
      { next: fc.integer({ min: 1 }) },
    ),
  }),
  fc.record({ type: fc.constant('done'), id }),
) as fc.Arbitrary<ServerMessage>;

/** Without the null prototypes of generated records. */
const plain = (value: unknown): unknown => structuredClone(value);

describe('the protocol of a served store', () => {
  it('returns every message as it was', () => {
    fc.assert(
      fc.property(clientMessages, (message) => {
        assert.deepEqual(plain(decodeClientMessage(bodyOf(encodeClientMessage(message)))), plain(message));
      }),
    );
    fc.assert(
      fc.property(serverMessages, (message) => {
        assert.deepEqual(plain(decodeServerMessage(bodyOf(encodeServerMessage(message)))), plain(message));
      }),
    );
  });

  it('returns failures with their codes, keys and classes', () => {
    const failures = [
      new KVError('compacted', 'too old'),
      new KVError('corrupt', 'unreadable', { damaged: [{ key: '/a', revision: 7 }] }),
      new KVError('full', 'no space'),
      new RangeError('wrong'),
      new Error('other'),
    ];
    for (const error of failures) {
      const answer = decodeServerMessage(bodyOf(encodeServerMessage({ type: 'failed', id: 1, error })));
      assert.ok(answer.type === 'failed' && answer.error instanceof Error);
      assert.equal(answer.error.constructor, error.constructor);
      if (error instanceof KVError) {
        assert.ok(answer.error instanceof KVError);
        assert.deepEqual([answer.error.code, answer.error.damaged], [error.code, error.damaged]);
      }
      assert.equal(answer.error.message, error.message);
    }
  });

  it('refuses frames that are cut or have more bytes', () => {
    const refuses = (decode: (body: Buffer) => unknown, body: Buffer): void => {
      assert.throws(() => decode(Buffer.concat([body, Buffer.from([0])])), ProtocolError);
      for (let length = 0; length < body.length; length += 1) {
        assert.throws(() => decode(body.subarray(0, length)), ProtocolError);
      }
    };
    fc.assert(
      fc.property(clientMessages, (message) => refuses(decodeClientMessage, bodyOf(encodeClientMessage(message)))),
      { numRuns: 50 },
    );
    fc.assert(
      fc.property(serverMessages, (message) => refuses(decodeServerMessage, bodyOf(encodeServerMessage(message)))),
      { numRuns: 50 },
    );
  });

  it('answers any bytes with a message or a ProtocolError, without large allocations', () => {
    for (const decode of [decodeClientMessage, decodeServerMessage]) {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 60 }), (array) => {
          try {
            decode(Buffer.from(array));
          } catch (error) {
            assert.ok(error instanceof ProtocolError, String(error));
          }
        }),
        { numRuns: 2000 },
      );
    }
    const manyItems = Buffer.from([8, 1, 255, 255, 255, 255, 15]);
    assert.throws(() => decodeServerMessage(manyItems), /too few elements/);
  });

  it('finds frames in chunks of any size', () => {
    fc.assert(
      fc.property(fc.array(serverMessages, { maxLength: 10 }), fc.integer({ min: 1, max: 200 }), (messages, size) => {
        const stream = Buffer.concat(messages.map(encodeServerMessage));
        const found: ServerMessage[] = [];
        const splitter = new FrameSplitter((body) => found.push(decodeServerMessage(body)));
        for (let at = 0; at < stream.length; at += size) splitter.push(stream.subarray(at, at + size));
        assert.deepEqual(plain(found), plain(messages));
      }),
    );
  });

  it('refuses a frame that is too long as soon as it is announced', () => {
    const header = Buffer.alloc(4);
    header.writeUInt32LE(MAX_FRAME_BYTES + 1);
    const splitter = new FrameSplitter(() => assert.fail('no frame is complete'));
    assert.throws(() => splitter.push(header), ProtocolError);
  });
});
