import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { bootstrapTokenAuthenticator } from './bootstrap-token.js';

const NOON = '2027-01-01T12:00:00Z';
const TOKEN = 'abcdef.0123456789abcdef';
const valid = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true' };

function secret(data: Readonly<Record<string, string>> = valid, more: object = {}): KubernetesObject {
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  const held = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(encoded) as Record<string, string>,
  };
  return { ...held, ...more };
}

const asked: string[] = [];
const groupsOf = async (bearerToken: string, held: KubernetesObject | undefined) => {
  const authenticator = bootstrapTokenAuthenticator({
    secret: async (name) => {
      asked.push(name);
      return held;
    },
    now: () => Date.parse(NOON),
  });
  return (await authenticator.authenticate({ bearerToken }))?.groups;
};

describe('a bootstrap token', () => {
  const only = ['system:bootstrappers'];
  const withGroups = (groups: string) => secret({ ...valid, 'auth-extra-groups': groups });
  const cases: readonly (readonly [what: string, held: KubernetesObject | undefined, groups: unknown])[] = [
    ['that a Secret holds is accepted', secret(), only],
    ['that no Secret holds is unknown', undefined, undefined],
    ['with another secret part is unknown', secret({ ...valid, 'token-secret': '0123456789abcdee' }), undefined],
    ['with a shorter secret part is unknown', secret({ ...valid, 'token-secret': '0123' }), undefined],
    ['of another id is unknown', secret({ ...valid, 'token-id': 'other0' }), undefined],
    ['of another type of Secret is unknown', secret(valid, { type: 'Opaque' }), undefined],
    ['whose Secret has no data is unknown', secret(valid, { data: undefined }), undefined],
    ['that is deleted is unknown', secret(valid, { metadata: { deletionTimestamp: NOON } }), undefined],
    ['for another usage is unknown', secret({ ...valid, 'usage-bootstrap-authentication': 'yes' }), undefined],
    ['is valid until it expires', secret({ ...valid, expiration: '2027-01-01T12:00:01Z' }), only],
    ['that has expired is unknown', secret({ ...valid, expiration: NOON }), undefined],
    ['with a malformed time is unknown', secret({ ...valid, expiration: 'tomorrow' }), undefined],
    [
      'has more groups, in order',
      withGroups('system:bootstrappers:b,system:bootstrappers:a'),
      ['system:bootstrappers', 'system:bootstrappers:a', 'system:bootstrappers:b'],
    ],
    ['names no other groups', withGroups('system:masters'), undefined],
    ['names no group of an upper-case name', withGroups('system:bootstrappers:A'), undefined],
  ];
  for (const [what, held, groups] of cases) {
    it(what, async () => assert.deepEqual(await groupsOf(TOKEN, held), groups));
  }

  it('is looked up by its id, and only if it looks like one', async () => {
    asked.length = 0;
    await groupsOf(TOKEN, secret());
    for (const other of ['', 'ABCDEF.0123456789abcdef', 'abcdef.0123', 'abcdef', `${TOKEN}.x`, `x${TOKEN}`]) {
      assert.equal(await groupsOf(other, secret()), undefined);
    }
    assert.deepEqual(asked, ['bootstrap-token-abcdef']);
  });
});
