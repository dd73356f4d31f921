import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  condense,
  type CondensedRecord,
  decodeRecord,
  LONGEST_CHAIN,
  valueIn,
  viewRecord,
} from './condensed-record.js';
import { KVError } from '../../interface/index.js';
import { flips } from './flips.testing.js';
import { encodeOrigin } from './origin.js';
import { type Condensed, encodeRecord } from './record.js';

const FIRST = 5;
const valueOf = (revision: number): Buffer =>
  Buffer.from(JSON.stringify({ kind: 'Thing', labels: 'x'.repeat(200), step: revision, status: 'y'.repeat(100) }));

function recordOf(revision: number, value = valueOf(revision)): Buffer {
  const previousRevision = revision === FIRST ? 0 : revision - 1;
  const head = { type: 'put', key: '/registry/a', createRevision: FIRST, expiresAt: 0, tag: 9 } as const;
  return encodeRecord(revision, { ...head, previousRevision, value }, encodeOrigin({ time: revision }, 0));
}

/** A log of one key, whose superseded values are condensed one after another. */
function condensedLog(last: number): { readonly log: Map<number, Buffer>; readonly forms: Map<number, Condensed> } {
  const log = new Map<number, Buffer>();
  const forms = new Map<number, Condensed>();
  for (let revision = FIRST; revision <= last; revision += 1) log.set(revision, recordOf(revision));
  for (let revision = FIRST; revision < last; revision += 1) {
    const [bytes, next] = [recordOf(revision), recordOf(revision + 1)];
    const base = { revision: revision + 1, bytes: next };
    const record = mustCondense(condense({ revision, bytes }, base, forms.get(revision - 1), (at) => log.get(at)));
    log.set(revision, record.bytes);
    forms.set(revision, record.condensed);
  }
  return { log, forms };
}

function mustCondense(record: CondensedRecord | undefined): CondensedRecord {
  assert.ok(record !== undefined, 'the value is condensed');
  return record;
}

test('condensed values read as they were, in every way to read them', () => {
  const last = FIRST + 3 * LONGEST_CHAIN;
  const { log } = condensedLog(last);
  // Each read may overwrite the bytes of the one before.
  const shared = Buffer.alloc(2000);
  const read = (revision: number): Buffer | undefined => {
    const bytes = log.get(revision);
    bytes?.copy(shared);
    return bytes && shared.subarray(0, bytes.length);
  };
  for (const [revision, bytes] of log) {
    const expected = valueOf(revision);
    const { value, ...head } = decodeRecord(revision, bytes, read);
    assert.deepEqual(Buffer.from(value), expected);
    assert.equal(head.previousRevision, revision === FIRST ? 0 : revision - 1);
    assert.deepEqual(Buffer.from(valueIn(revision, bytes, read)), expected);
    assert.deepEqual(Buffer.from(viewRecord(revision, bytes, read).value), expected);
  }
});

test('a chain has a longest length, and then a value without a base', () => {
  const last = FIRST + 3 * LONGEST_CHAIN;
  const { log, forms } = condensedLog(last);
  const whole = [...forms].filter(([, { base }]) => base === 0).map(([revision]) => revision - FIRST);
  assert.deepEqual(whole, [LONGEST_CHAIN, 2 * LONGEST_CHAIN + 1]);
  for (const [revision, bytes] of log) {
    let reads = 0;
    valueIn(revision, bytes, (at) => {
      reads += 1;
      return log.get(at);
    });
    assert.ok(reads <= LONGEST_CHAIN, `${reads} reads`);
  }
});

test('large values have short chains', () => {
  const large = (revision: number): Buffer => Buffer.alloc(400_000, `version ${revision} `);
  const log = new Map([FIRST, FIRST + 1, FIRST + 2, FIRST + 3].map((at) => [at, recordOf(at, large(at))]));
  const bases: number[] = [];
  let below: Condensed | undefined;
  for (const [revision, bytes] of log) {
    const base = { revision: revision + 1, bytes: recordOf(revision + 1, large(revision + 1)) };
    below = mustCondense(condense({ revision, bytes }, base, below, (at) => log.get(at))).condensed;
    bases.push(below.base);
  }
  assert.deepEqual(bases, [FIRST + 1, FIRST + 2, FIRST + 3, 0]);
});

test('a value that a deletion superseded has no base, and one that gains little stays whole', () => {
  const none = (): undefined => undefined;
  const deleted = mustCondense(condense({ revision: FIRST, bytes: recordOf(FIRST) }, undefined, undefined, none));
  assert.equal(deleted.condensed.base, 0);
  assert.deepEqual(Buffer.from(valueIn(FIRST, deleted.bytes, none)), valueOf(FIRST));
  // Like that of an encrypted value.
  const random = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 7919 * (index + 13)) % 251));
  assert.equal(condense({ revision: FIRST, bytes: recordOf(FIRST, random) }, undefined, undefined, none), undefined);
});

test('damage of a condensed value or of its base is an error of that value, never another value', () => {
  const { log } = condensedLog(FIRST + 2);
  const record = log.get(FIRST) ?? Buffer.alloc(0);
  const base = log.get(FIRST + 1) ?? Buffer.alloc(0);
  const damaged = { name: 'KVError', code: 'corrupt' };
  const read = (revision: number): Buffer | undefined => log.get(revision);
  const isDetected = (bytes: Buffer, readOther: typeof read): boolean => {
    try {
      // The last bits of a deflated difference may mean nothing.
      assert.deepEqual(Buffer.from(valueIn(FIRST, bytes, readOther)), valueOf(FIRST));
      return false;
    } catch (error) {
      assert.ok(error instanceof KVError && error.code === 'corrupt', String(error));
      return true;
    }
  };
  const undetected = [...flips(record)].filter((flipped) => !isDetected(flipped, read)).length;
  assert.ok(undetected < 8, `${undetected} flips`);
  for (const flipped of flips(base)) {
    const readDamaged = (revision: number): Buffer | undefined =>
      revision === FIRST + 1 ? flipped : log.get(revision);
    isDetected(record, readDamaged);
  }
  assert.throws(() => valueIn(FIRST, record, () => undefined), {
    ...damaged,
    message: /the value of "\/registry\/a", of revision 5/,
  });
});
