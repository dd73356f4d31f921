import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePolicyFile } from './policy-file.js';

const line = (spec: object, more: object = {}): string =>
  JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec, ...more });

describe('parsePolicyFile', () => {
  it('reads a policy on each line, between comments', () => {
    const all = {
      user: 'jane',
      group: 'dev',
      readonly: true,
      apiGroup: 'a',
      resource: 'r',
      namespace: 'n',
      nonResourcePath: '/p',
    };
    assert.deepEqual(parsePolicyFile(`# comment\n\n${line(all)}\n  ${line({ user: 'eve' })}\n`), [
      all,
      { user: 'eve', group: '', readonly: false, apiGroup: '', resource: '', namespace: '', nonResourcePath: '' },
    ]);
  });

  it('reads a star as all who have authenticated', () => {
    const groups = parsePolicyFile([line({ user: '*' }), line({ group: '*' })].join('\n')).map(({ group }) => group);
    assert.deepEqual(groups, ['system:authenticated', 'system:authenticated']);
  });

  for (const [text, message] of [
    ['{', /^line 1: /],
    ['[]', /^line 1: a policy must be a JSON object$/],
    [`# a\n{"user":"jane"}`, /^line 2: a policy must have the apiVersion abac.*v1beta1 and the kind Policy$/],
    [line({ user: 1 }), /^line 1: spec\.user must be a string$/],
    [line({ readonly: 'yes' }), /^line 1: spec\.readonly must be a boolean$/],
    [line({ users: 'jane' }), /^line 1: unknown field "spec\.users"$/],
    [line({ user: 'jane' }, { readonly: true }), /^line 1: unknown field "readonly"$/],
    [line({}, { spec: 'all' }), /^line 1: spec must be an object$/],
  ] as const) {
    it(`refuses ${text}`, () => assert.throws(() => parsePolicyFile(text), { message }));
  }
});
