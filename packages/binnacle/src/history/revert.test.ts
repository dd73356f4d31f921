import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { leavesOf } from '@binnacle/apimachinery/differences';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { object } from './objects.testing.js';
import { planRevert, planReverts, type Undone } from './revert.js';

const app = (image: string) => ({ name: 'app', image });
const sidecar = { name: 'sidecar', image: 'proxy:1' };

describe('revert', () => {
  const web = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
    metadata: { name: 'web', ...metadata },
    spec,
  });
  const table: readonly [string, Parameters<typeof planRevert>, ReturnType<typeof planRevert>][] = [
    [
      'sets the old value, and keeps what others have changed',
      [{ previous: web({ replicas: 1, x: 1 }), object: web({ replicas: 9, x: 1 }) }, web({ replicas: 9, x: 2 }), false],
      { type: 'update', object: web({ replicas: 1, x: 2 }) },
    ],
    [
      'reports what has changed again',
      [{ previous: web({ replicas: 1 }), object: web({ replicas: 9 }) }, web({ replicas: 5 }), false],
      { type: 'conflict', fields: ['.spec.replicas'] },
    ],
    [
      'overwrites it by force',
      [{ previous: web({ replicas: 1 }), object: web({ replicas: 9 }) }, web({ replicas: 5 }), true],
      { type: 'update', object: web({ replicas: 1 }) },
    ],
    [
      'does nothing twice',
      [{ previous: web({ replicas: 1 }), object: web({ replicas: 9 }) }, web({ replicas: 1 }), false],
      { type: 'nothing' },
    ],
    [
      'takes added fields and elements away, and puts removed ones back',
      [
        { previous: web({ c: [app('a')], old: { x: 1 } }), object: web({ c: [app('a'), sidecar], new: { y: 1 } }) },
        web({ c: [app('b'), sidecar], new: { y: 1 } }),
        false,
      ],
      { type: 'update', object: web({ c: [app('b')], old: { x: 1 } }) },
    ],
    [
      'restores a list without names as a whole',
      [{ previous: web({ args: ['a', 'b'] }), object: web({ args: ['c'] }) }, web({ args: ['c'] }), false],
      { type: 'update', object: web({ args: ['a', 'b'] }) },
    ],
    ['deletes what was created', [{ previous: undefined, object: web({}) }, web({}), false], { type: 'delete' }],
    [
      'does not delete what has changed since',
      [{ previous: undefined, object: web({ a: 1 }) }, web({ a: 2 }), false],
      { type: 'conflict', fields: ['.spec.a'] },
    ],
    [
      'creates what was deleted, without what the server sets',
      [{ previous: web({ a: 1 }, { uid: 'u', resourceVersion: '5' }), object: undefined }, undefined, false],
      { type: 'create', object: web({ a: 1 }) },
    ],
    [
      'leaves out the status',
      [{ previous: { status: { a: 1 } }, object: { status: { a: 2 } } }, { status: { a: 2 } }, false],
      { type: 'nothing' },
    ],
  ];
  for (const [name, given, expected] of table) it(name, () => assert.deepEqual(planRevert(...given), expected));

  it('gives the live object the leaves of the one before, for random events', () => {
    fc.assert(
      fc.property(object, object, (previous, after) => {
        const plan = planRevert({ previous, object: after }, after, false);
        const result = plan.type === 'update' ? plan.object : after;
        assert.deepEqual(new Map(leavesOf(result)), new Map(leavesOf(previous)));
      }),
    );
  });

  it('undoes all events of an object by one write, for random histories', () => {
    const histories = fc.array(fc.option(object, { nil: undefined }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(histories, (states) => {
        const events: Undone[] = [];
        for (const [index, state] of states.entries()) {
          if (index > 0) events.unshift({ previous: states[index - 1], object: state });
        }
        const live = states.at(-1);
        const plan = planReverts(events.filter(changesSomething), live, false);
        assert.notEqual(plan.type, 'conflict');
        const state = 'object' in plan ? plan.object : plan.type === 'delete' ? undefined : live;
        assert.deepEqual(new Map(leavesOf(state ?? {})), new Map(leavesOf(states[0] ?? {})));
      }),
    );
  });

  it('updates the live object where it undoes a create and the delete before it', () => {
    const former = web({ a: 1 }, { uid: 'u', resourceVersion: '5' });
    const live = web({ a: 2 }, { uid: 'v', resourceVersion: '9' });
    const events = [
      { previous: undefined, object: live },
      { previous: former, object: undefined },
    ];
    assert.deepEqual(planReverts(events, live, false), {
      type: 'update',
      object: web({ a: 1 }, { uid: 'v', resourceVersion: '9' }),
    });
  });

  it('says which event conflicts', () => {
    const [one, two, three] = [web({ a: 1 }), web({ a: 2 }), web({ a: 3 })];
    const older = { previous: one, object: two };
    const newer = { previous: web({ b: 1 }), object: web({ b: 2 }) };
    const live = { ...three, spec: { a: 3, b: 2 } };
    assert.deepEqual(planReverts([newer, older], live, false), { type: 'conflict', fields: ['.spec.a'], event: older });
  });
});

const changesSomething = ({ previous, object: after }: Undone): boolean =>
  previous !== undefined || after !== undefined;
