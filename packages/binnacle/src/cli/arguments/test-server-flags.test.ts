import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readTestServerFlags } from './test-server-flags.js';

it('reads the flags of a test server', () => {
  const flags = ['--controllers=*', '--nodes', '2', '--scheduler', '--feature-gates=A=true', '--v=0'];
  assert.deepEqual(readTestServerFlags(flags), {
    controllers: '*',
    nodes: 2,
    scheduler: true,
    featureGates: 'A=true',
    verbosity: 0,
  });
  assert.deepEqual(readTestServerFlags([]), {});
  assert.deepEqual(readTestServerFlags(['--fault-injection', '--console=false']), {});
});

it('refuses flags by name', () => {
  const cases: readonly (readonly [flag: string, message: RegExp])[] = [
    ['--data-dir=x', /^--data-dir does not apply to a test server$/],
    ['--secure-port=0', /^--secure-port does not apply to a test server$/],
    ['--in-memory', /^--in-memory does not apply to a test server$/],
    ['--bind-address=::', /^--bind-address does not apply/],
    ['--console', /^--console does not apply to a test server$/],
    ['--fault-injection=false', /^--fault-injection does not apply/],
    ['--nodez=1', /^unknown option '--nodez=1'.* see binnacle serve --help$/],
    ['--nodes=x', /--nodes "x" is not a number/],
    ['--help', /^--help has no flags of a server$/],
  ];
  for (const [flag, message] of cases) {
    assert.throws(() => readTestServerFlags([flag]), { message }, flag);
  }
});
