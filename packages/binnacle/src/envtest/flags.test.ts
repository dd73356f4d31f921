import assert from 'node:assert/strict';
import { it } from 'node:test';
import { takeFlag } from './flags.js';

it('takes a flag from a command line', () => {
  const cases: readonly (readonly [string, string | undefined, string])[] = [
    ['--a=1 --b=2', '1', '--b=2'],
    ['--b=2 --a 1 c', '1', '--b=2 c'],
    ['--a=1 --a=2', '2', ''],
    ['--a=x=y', 'x=y', ''],
    ['--a=', '', ''],
    ['--a', undefined, ''],
    ['--ab=1 -a 1', undefined, '--ab=1 -a 1'],
  ];
  for (const [line, value, rest] of cases) {
    assert.deepEqual(takeFlag(line.split(' '), 'a'), { value, rest: rest === '' ? [] : rest.split(' ') }, line);
  }
});
