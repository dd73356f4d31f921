import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseLoops, ControllersError } from './choose-loops.js';
import { type LoopFacts, loops } from './loops.js';

const loop = (name: string, alias: string, enabledByDefault = true): LoopFacts => ({
  name,
  aliases: [alias],
  serviceAccount: name,
  enabledByDefault,
  create: () => Promise.reject(new Error('never created here')),
});

const known = [loop('tide-controller', 'tide'), loop('lamp-controller', 'lamp'), loop('fog-controller', 'fog', false)];

describe('--controllers', () => {
  for (const [list, expected] of [
    ['*', ['tide-controller', 'lamp-controller']],
    ['', []],
    [' , ', []],
    ['*,-lamp-controller', ['tide-controller']],
    ['-lamp,*', ['tide-controller']],
    ['fog', ['fog-controller']],
    ['*,fog', ['tide-controller', 'lamp-controller', 'fog-controller']],
    ['lamp-controller, tide', ['tide-controller', 'lamp-controller']],
    ['lamp,-lamp-controller', ['lamp-controller']],
    ['-lamp-controller,lamp', []],
    ['-lamp', []],
  ] as const) {
    it(`${JSON.stringify(list)} enables ${expected.join(', ') || 'none'}`, () => {
      assert.deepEqual(
        chooseLoops(list, known).map(({ name }) => name),
        expected,
      );
    });
  }

  for (const list of ['*,anchor', '-anchor', '-*', '--lamp']) {
    it(`rejects ${list} and names the known controllers`, () => {
      assert.throws(
        () => chooseLoops(list, known),
        (error) =>
          error instanceof ControllersError &&
          /list of known controllers: tide-controller, lamp-controller/.test(error.message),
      );
    });
  }
});

describe('the table of loops', () => {
  it('has unique names and aliases', () => {
    const names = loops.flatMap(({ name, aliases }) => [name, ...aliases]);
    assert.deepEqual(names, [...new Set(names)]);
  });
});
