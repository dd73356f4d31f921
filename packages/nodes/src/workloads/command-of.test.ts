import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Container } from '@binnacle/client/kinds/core/v1';
import { commandOf } from './command-of.js';

const cases: Record<string, [Partial<Container>, readonly string[]]> = {
  'is that of the image': [{}, ['./bin', '--own']],
  'has the arguments of the container': [
    { args: ['--port=$(PORT)', '$(NONE)', '$$(PORT)'] },
    ['--port=80', '$(NONE)', '$(PORT)'],
  ],
  'takes the place of the first word of the command': [{ command: ['/manager', '--a'], args: ['--b'] }, ['--a', '--b']],
  'has local paths': [{ args: ['/conf/x'], volumeMounts: [{ name: 'v', mountPath: '/conf' }] }, ['/root/conf/x']],
};
for (const [title, [container, words]] of Object.entries(cases)) {
  it(`the command of a container ${title}`, () => {
    const given = { variables: new Map([['PORT', '80']]), root: '/root' };
    const mapped = ['./bin', '--own'];
    const expected = words[0] === './bin' ? words : [...mapped, ...words];
    assert.deepEqual(commandOf(mapped, { name: 'c', ...container }, given), expected);
  });
}
