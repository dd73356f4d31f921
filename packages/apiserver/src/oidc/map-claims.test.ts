import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import { outcome } from './issuer.testing.js';
import { mapClaims } from './map-claims.js';
import { readAuthenticationConfiguration } from './read-configuration.js';

const claims = { sub: 'jane', team: 'blue', groups: ['dev', 'ops'], number: 7 };
const username = { claim: 'sub', prefix: '' };
const mail = { claim: 'email', prefix: '' };

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

const expressed = (source: string, given: JsonObject) =>
  user({ claimMappings: { username, groups: { expression: source } } }, { sub: 'jane', ...given });
const extraOf = (source: string, given: JsonObject) =>
  user({ claimMappings: { username, extra: [{ key: 'x.io/a', valueExpression: source }] } }, { sub: 'jane', ...given });

// Upstream's table is in apiserver `plugin/pkg/authenticator/token/oidc/oidc_test.go`.
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

  const names: readonly (readonly [what: string, mapping: object, claims: JsonObject, expected: string | object])[] = [
    ['no name', username, {}, 'parse username claims "sub": claim not present'],
    ['an empty name', username, { sub: '' }, { name: '' }],
    ['an address that is verified', mail, { email: 'j@x', email_verified: true }, { name: 'j@x' }],
    ['an address that is not', mail, { email: 'j@x', email_verified: false }, 'email not verified'],
    ['an address that may be', mail, { email: 'j@x' }, { name: 'j@x' }],
    [
      'an address whose verification is a text',
      mail,
      { email: 'j@x', email_verified: 'false' },
      "parse 'email_verified' claim: json: cannot unmarshal string into Go value of type bool",
    ],
    ['a nested claim', { expression: 'claims.a.b[0]' }, { a: { b: ['joe'] } }, { name: 'joe' }],
    [
      'a name that is empty by its expression',
      { expression: 'claims.a' },
      { a: '' },
      'empty username via CEL expression is not allowed',
    ],
    [
      'a name that is not a string by its expression',
      { expression: 'claims.a' },
      { a: 5 },
      'error evaluating username claim expression: username claim expression must return a string',
    ],
  ];
  for (const [what, rules, given, expected] of names) {
    it(`takes the name of claims with ${what}`, async () => {
      const found = await user({ claimMappings: { username: rules } }, given);
      assert.deepEqual(found, typeof expected === 'string' ? expected : { ...jane, ...expected });
    });
  }

  const groupClaims: readonly (readonly [claim: JsonValue | undefined, groups: string | readonly string[]])[] = [
    [undefined, []],
    [null, []],
    ['dev', ['dev']],
    [
      ['dev', 'ops'],
      ['dev', 'ops'],
    ],
    [42, 'parse groups claim "g": json: cannot unmarshal number into Go value of type string'],
  ];
  for (const [claim, expected] of groupClaims) {
    it(`takes the groups of a claim that is ${JSON.stringify(claim)}`, async () => {
      const given = { sub: 'jane', ...(claim === undefined ? {} : { g: claim }) };
      const found = await user({ claimMappings: { username, groups: { claim: 'g', prefix: '' } } }, given);
      assert.deepEqual(found, typeof expected === 'string' ? expected : { ...jane, groups: expected });
    });
  }

  const noTexts = 'expression must return a string or a list of strings';
  const groupExpressions: readonly (readonly [
    source: string,
    claims: JsonObject,
    groups: string | readonly string[],
  ])[] = [
    ['claims.g', { g: ['dev', '', 'ops'] }, ['dev', 'ops']],
    ['claims.g', { g: 'dev' }, ['dev']],
    ['claims.g', { g: null }, []],
    ['claims.g', { g: ['dev', 5] }, `error evaluating group claim expression: ${noTexts}`],
    ['claims.g', { g: { dev: true } }, `error evaluating group claim expression: ${noTexts}`],
    ['(claims.a.split(",") + claims.b.split(",")).map(role, "g:" + role)', { a: 'x,y', b: 'z' }, ['g:x', 'g:y', 'g:z']],
    ['dyn(claims.g).map(g, "g:" + g)', { g: ['x'] }, ['g:x']],
    ['claims.a.?b.c.orValue(["z"])', { a: {} }, ['z']],
    ['claims.a.?b.c.orValue(["z"])', { a: { b: { c: ['y'] } } }, ['y']],
    [
      'claims.a.b.c',
      { a: {} },
      "error evaluating group claim expression: expression 'claims.a.b.c' resulted in error: no such key: b",
    ],
    ['claims.kubernetes__dot__io.g', { 'kubernetes.io': { g: 'dev' } }, ['dev']],
    ['claims["kubernetes.io"].g', { 'kubernetes.io': { g: 'dev' } }, ['dev']],
    ['claims.a[0].g__dot__io', { a: [{ 'g.io': 'dev' }] }, ['dev']],
    ['has(claims.a.g__dot__io) ? ["yes"] : ["no"]', { a: { 'g.io': 'dev' } }, ['yes']],
    ['claims[?"k.io"]["a"]["b"].orValue("none")', { 'k.io': {} }, ['none']],
  ];
  for (const [source, given, expected] of groupExpressions) {
    it(`takes the groups ${JSON.stringify(expected)} of ${source} and ${JSON.stringify(given)}`, async () => {
      const found = await expressed(source, given);
      assert.deepEqual(found, typeof expected === 'string' ? expected : { ...jane, groups: expected });
    });
  }

  const attributes: readonly (readonly [
    source: string,
    claims: JsonObject,
    values: string | readonly string[] | undefined,
  ])[] = [
    ['claims.a', { a: 'b' }, ['b']],
    ['claims.a', { a: ['b', 'c'] }, ['b', 'c']],
    ['claims.a', { a: '' }, undefined],
    ['claims.a', { a: ['', ''] }, undefined],
    ['"fixed"', {}, ['fixed']],
    ['(has(claims.admin) && claims.admin) ? "true" : ""', { admin: true }, ['true']],
    ['claims.?admin.orValue(false) == true ? "true" : ""', { admin: true }, ['true']],
    ['claims.?admin.orValue(false) == true ? "true" : ""', {}, undefined],
    ['claims.?absent.orValue("default")', {}, ['default']],
    ['string(claims.a.b)', { a: { b: 1 } }, ['1']],
    ['string(int(claims.a))', { a: 1_700_081_020 }, ['1700081020']],
    ['[string(claims.a)] + ["x"]', { a: true }, ['true', 'x']],
    ['claims.a', { a: 5 }, `error evaluating extra claim expression: claims.a: ${noTexts}`],
    ['claims.a', {}, "expression 'claims.a' resulted in error: no such key: a"],
  ];
  for (const [source, given, expected] of attributes) {
    it(`takes the attribute ${JSON.stringify(expected)} of ${source} and ${JSON.stringify(given)}`, async () => {
      const found = await extraOf(source, given);
      const extra = expected === undefined ? {} : { 'x.io/a': expected };
      assert.deepEqual(found, typeof expected === 'string' ? expected : { ...jane, extra });
    });
  }

  it('names the credential of a token by its identifier, if that is a text', async () => {
    const id = 'authentication.kubernetes.io/credential-id';
    assert.deepEqual(await user({}, { ...claims, jti: '1' }), { ...jane, extra: { [id]: ['JTI=1'] } });
    assert.deepEqual(await extraOf('"b"', { jti: '1' }), { ...jane, extra: { [id]: ['JTI=1'], 'x.io/a': ['b'] } });
    assert.deepEqual(await user({}, { ...claims, jti: 1 }), jane);
    const expression = `!(user.extra[?'${id}'][0].orValue('') in ["JTI=1"])`;
    const rules = { userValidationRules: [{ expression, message: 'revoked' }] };
    assert.equal(
      await user(rules, { ...claims, jti: '1' }),
      `error evaluating user info validation rule: validation expression '${expression}' failed: revoked`,
    );
    assert.deepEqual(await user(rules), jane);
  });

  const conditions: readonly (readonly [expression: string, claims: JsonObject, reason?: string])[] = [
    ['claims.a.b == "c"', { a: { b: 'c' } }],
    ['claims.a == "b"', {}, `expression 'claims.a == "b"' resulted in error: no such key: a`],
    ['sets.equivalent(claims.aud, ["x", "y"])', { aud: ['y', 'x'] }],
    [
      'sets.equivalent(claims.aud, ["x", "y"])',
      { aud: ['x'] },
      `validation expression 'sets.equivalent(claims.aud, ["x", "y"])' failed: m`,
    ],
    ['has(claims.k__dot__io.pod.uid)', { 'k.io': { pod: { uid: '1' } } }],
    ['claims["k.io"]["node"]["uid"] != ""', { 'k.io': { node: { uid: '1' } } }],
    ['claims.yes && !claims.no', { yes: true, no: false }],
  ];
  for (const [expression, given, reason] of conditions) {
    it(`${reason === undefined ? 'meets' : 'breaks'} the rule ${expression} with ${JSON.stringify(given)}`, async () => {
      const rules = {
        claimValidationRules: [
          { claim: 'sub', requiredValue: 'jane' },
          { expression, message: 'm' },
        ],
      };
      const found = await user(rules, { sub: 'jane', ...given });
      assert.deepEqual(found, reason === undefined ? jane : `error evaluating claim validation expression: ${reason}`);
    });
  }

  it('shows rules each field of a user, be it empty', async () => {
    const all = (expressions: readonly string[]) => ({
      userValidationRules: expressions.map((expression) => ({ expression, message: 'm' })),
    });
    const empty = [
      'user.username == " "',
      'user.uid == ""',
      '!("bar" in user.groups)',
      '!("bar" in user.extra)',
      'user.extra[?"x.io/a"].orValue([]) == []',
    ];
    assert.deepEqual(await user(all(empty), { sub: ' ' }), { ...jane, name: ' ' });
    const claimMappings = {
      username: { claim: 'sub', prefix: 'system:' },
      groups: { claim: 'groups', prefix: 'system:' },
      extra: [{ key: 'x.io/a-b', valueExpression: 'claims.team' }],
    };
    const full = [
      '"system:dev" in user.groups && user.groups.size() == 2',
      '"blue" in user.extra["x.io/a-b"]',
      'user.extra.x__dot__io__slash__a__dash__b[0] == "blue"',
      'has(user.extra.x__dot__io__slash__a__dash__b)',
    ];
    assert.deepEqual(await user({ claimMappings, ...all(full) }), {
      name: 'system:jane',
      uid: '',
      groups: ['system:dev', 'system:ops'],
      extra: { 'x.io/a-b': ['blue'] },
    });
    for (const expression of [
      '!user.username.startsWith("system:")',
      'user.groups.all(group, !group.startsWith("system:"))',
    ]) {
      assert.equal(
        await user({ claimMappings, ...all([expression]) }),
        `error evaluating user info validation rule: validation expression '${expression}' failed: m`,
      );
    }
  });
});
