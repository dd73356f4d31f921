import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindSchema } from '@binnacle/api/table';
import { BuiltInCodec } from '../codec/index.js';
import { connectObject } from './connect.js';

function optionsIn(kind: string, query: string, path?: string): unknown {
  const groupVersionKind = { group: '', version: 'v1', kind };
  const schema = kindSchema(groupVersionKind);
  assert.ok(schema);
  const codec = new BuiltInCodec(groupVersionKind, schema);
  return JSON.parse(Buffer.from(codec.encode(connectObject(codec, new URLSearchParams(query), path))).toString());
}

describe('the options of a connect', () => {
  const cases: readonly (readonly [kind: string, query: string, path: string | undefined, expected: object])[] = [
    [
      'PodExecOptions',
      'command=ls&command=-l&stdin=true&tty=0&container=c&kind=Pod&bogus=1',
      undefined,
      { stdin: true, container: 'c', command: ['ls', '-l'] },
    ],
    ['PodAttachOptions', 'stdout', undefined, { stdout: true }],
    ['PodPortForwardOptions', 'ports=80&ports=443', undefined, { ports: [80, 443] }],
    ['ServiceProxyOptions', 'path=/other', '/a/b', { path: '/a/b' }],
  ];
  for (const [kind, query, path, expected] of cases) {
    it(`${kind}: ${query}`, () =>
      assert.deepEqual(optionsIn(kind, query, path), { kind, apiVersion: 'v1', ...expected }));
  }

  it('must have numbers for ports', () => {
    assert.throws(() => optionsIn('PodPortForwardOptions', 'ports=x'), {
      code: 400,
      message: 'strconv.ParseInt: parsing "x": invalid syntax',
    });
  });
});
