import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { field, header, keyValue, message } from './fields.testing.js';
import { ALL_WATCHES, decodeWatchAnswer, encodeWatchCall, type WatchCall } from './watch-messages.js';

describe('a request on the stream of watches', () => {
  const create = { type: 'create', watchId: 4, key: Buffer.from('/a/'), startRevision: 7, withPrevious: true } as const;
  const options = [field(3, 7), field(4, 1), field(6, 1), field(7, 4), field(8, 1)];
  const cases: readonly (readonly [name: string, call: WatchCall, bytes: Buffer])[] = [
    [
      'creates a watch with previous values, notifications and fragments',
      { ...create, rangeEnd: Buffer.from('/a0') },
      field(1, message(field(1, '/a/'), field(2, '/a0'), ...options)),
    ],
    [
      'creates a watch of one key',
      { ...create, rangeEnd: Buffer.alloc(0) },
      field(1, message(field(1, '/a/'), ...options)),
    ],
    [
      'creates a watch without previous values',
      { ...create, rangeEnd: Buffer.alloc(0), withPrevious: false },
      field(1, message(field(1, '/a/'), ...options.filter((option) => !option.equals(field(6, 1))))),
    ],
    ['cancels a watch', { type: 'cancel', watchId: 4 }, field(2, field(1, 4))],
    ['asks for progress', { type: 'progress' }, field(3, '')],
  ];
  for (const [name, call, bytes] of cases) it(name, () => assert.deepEqual(encodeWatchCall(call), bytes));
});

describe('a response on the stream of watches', () => {
  const nothing = {
    watchId: 4,
    created: false,
    canceled: false,
    compactRevision: 0,
    cancelReason: '',
    fragment: false,
  };

  it('has events in order, with previous values where there are any', () => {
    const put = field(11, field(2, keyValue('a', 'x', 3, 3)));
    const update = field(11, message(field(2, keyValue('a', 'y', 3, 5)), field(3, keyValue('a', 'x', 3, 3))));
    const remove = field(11, message(field(1, 1), field(2, message(field(1, 'a'), field(3, 6)))));
    const x = { key: 'a', value: Buffer.from('x'), createRevision: 3, modRevision: 3 };
    assert.deepEqual(decodeWatchAnswer(message(header(9), field(2, 4), put, update, remove)), {
      ...nothing,
      revision: 9,
      events: [
        { deleted: false, current: x, previous: undefined },
        { deleted: false, current: { ...x, value: Buffer.from('y'), modRevision: 5 }, previous: x },
        {
          deleted: true,
          current: { key: 'a', value: new Uint8Array(0), createRevision: 0, modRevision: 6 },
          previous: undefined,
        },
      ],
    });
  });

  it('confirms a watch, ends it with a reason, or announces a continuation', () => {
    const answer = { ...nothing, revision: 9, events: [] };
    const flags: readonly (readonly [fields: readonly Buffer[], facts: object])[] = [
      [[field(3, 1)], { created: true }],
      [
        [field(4, 1), field(5, 8), field(6, 'compacted')],
        { canceled: true, compactRevision: 8, cancelReason: 'compacted' },
      ],
      [[field(7, 1)], { fragment: true }],
    ];
    for (const [fields, facts] of flags) {
      assert.deepEqual(decodeWatchAnswer(message(header(9), field(2, 4), ...fields)), { ...answer, ...facts });
    }
  });

  it('may be for all watches', () => {
    const { watchId } = decodeWatchAnswer(message(header(9), field(2, 2n ** 64n - 1n)));
    assert.equal(watchId, ALL_WATCHES);
  });
});
