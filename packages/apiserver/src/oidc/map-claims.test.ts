import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { outcome } from './issuer.testing.js';
import { mapClaims } from './map-claims.js';
import { readAuthenticationConfiguration } from './read-configuration.js';

const claims = { sub: 'jane', team: 'blue', groups: ['dev', 'ops'], number: 7 };
const username = { claim: 'sub', prefix: '' };

/** The user that the rules of a file make of claims, or the reason why they make none. */
async function user(rules: object, given: JsonObject = claims) {
  const issuer = { url: 'https://issuer.example', audiences: ['kube'] };
  const file = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [{ issuer, claimMappings: { username }, ...rules }],
  };
  const [read] = readAuthenticationConfiguration(JSON.stringify(file), []).issuers;
  assert.ok(read !== undefined);
  return outcome(() => mapClaims(given, read));
}

const mapped = (claimMappings: object) => user({ claimMappings: { username, ...claimMappings } });
const jane = { name: 'jane', uid: '', groups: [], extra: {} };

describe('mapClaims', () => {
  for (const [what, mappings, expected] of [
    ['the claim of the name', { username: { claim: 'team', prefix: '' } }, { name: 'blue' }],
    ['the prefix of the name', { username: { claim: 'sub', prefix: 'p:' } }, { name: 'p:jane' }],
    ['the expression of the name', { username: { expression: '"x-" + claims.sub' } }, { name: 'x-jane' }],
    ['the claim of groups', { groups: { claim: 'groups', prefix: '' } }, { groups: ['dev', 'ops'] }],
    ['the prefix of groups', { groups: { claim: 'team', prefix: 'p:' } }, { groups: ['p:blue'] }],
    ['the expression of groups', { groups: { expression: 'claims.groups[1]' } }, { groups: ['ops'] }],
    ['the claim of the UID', { uid: { claim: 'team' } }, { uid: 'blue' }],
    ['the expression of the UID', { uid: { expression: 'string(claims.number)' } }, { uid: '7' }],
    [
      'key and value of extra attributes',
      { extra: [{ key: 'example.org/team', valueExpression: 'claims.team' }] },
      { extra: { 'example.org/team': ['blue'] } },
    ],
  ] as const) {
    it(`obeys ${what}`, async () => assert.deepEqual(await mapped(mappings), { ...jane, ...expected }));
  }

  it('refuses claims that break a rule, with its message', async () => {
    for (const [rule, expected] of [
      [{ claim: 'team', requiredValue: 'blue' }, jane],
      [{ claim: 'team', requiredValue: 'red' }, 'required claim team value does not match. Got = blue, want = red'],
      [{ claim: 'absent', requiredValue: 'x' }, 'required claim absent not present in ID token'],
      [{ expression: 'claims.team == "blue"', message: 'no' }, jane],
      [
        { expression: 'claims.team == "red"', message: 'only red' },
        `error evaluating claim validation expression: validation expression 'claims.team == "red"' failed: only red`,
      ],
    ] as const) {
      assert.deepEqual(await user({ claimValidationRules: [rule] }), expected);
    }
  });

  it('refuses a user that breaks a rule, with its message', async () => {
    const rules = (expression: string) => user({ userValidationRules: [{ expression, message: 'not jane' }] });
    assert.deepEqual(await rules('user.username == "jane"'), jane);
    assert.equal(
      await rules('user.username != "jane"'),
      `error evaluating user info validation rule: validation expression 'user.username != "jane"' failed: not jane`,
    );
  });
});
