import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCommandLine } from './command-line.js';
import { parseTarget } from './resolve-request.js';
import { textOf } from './text-of.testing.js';

it('resolve takes a service and a namespace', () => {
  assert.deepEqual(parseCommandLine(['resolve', 'svc/web:http', '-n', 'shop', '--kubeconfig=a']), {
    command: 'resolve',
    request: { service: 'web', port: 'http', namespace: 'shop', kubeconfig: 'a' },
  });
  assert.deepEqual(parseCommandLine(['resolve', 'svc/web', '--output=json']), {
    command: 'resolve',
    request: { service: 'web', output: 'json' },
  });
  assert.match(textOf('resolve', 'web'), /^wrong: binnacle: "web" is not svc\/NAME or svc\/NAME:PORT/);
  assert.match(textOf('resolve', 'svc/web', '--namespace='), /^wrong: binnacle: NAMESPACE is empty/);
  assert.match(textOf('resolve'), /missing required argument/);
});

it('a target names a service and a port', () => {
  assert.deepEqual(parseTarget('svc/web'), { service: 'web' });
  assert.deepEqual(parseTarget('service/web:http'), { service: 'web', port: 'http' });
  for (const text of ['web', 'pod/web', 'svc/', 'svc/web:', 'svc/a/b', 'svc/Web'])
    assert.equal(parseTarget(text), undefined);
});
