import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rootCertificates } from 'node:tls';
import { readAuthenticationConfiguration } from './read-configuration.js';

const HEAD = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration' };
const [CERTIFICATE] = rootCertificates;
const issuer = { url: 'https://issuer.example', audiences: ['kube'] };
const username = { claim: 'sub', prefix: '' };
const jwt = (more: object = {}) => ({ issuer, claimMappings: { username }, ...more });
const withIssuer = (more: object) => ({ jwt: [jwt({ issuer: { ...issuer, ...more } })] });
const withMappings = (more: object) => ({ jwt: [jwt({ claimMappings: { username, ...more } })] });
const rules = (...claimValidationRules: object[]) => ({ jwt: [jwt({ claimValidationRules })] });

const read = (config: object, disallowed: readonly string[] = []) =>
  readAuthenticationConfiguration(JSON.stringify({ ...HEAD, ...config }), disallowed);
const fault = (config: object, disallowed?: readonly string[]): string => {
  try {
    read(config, disallowed);
    return '';
  } catch (error) {
    assert.ok(error instanceof Error && error.name === 'ConfigurationError', String(error));
    return error.message.replace('invalid authentication configuration: ', '');
  }
};

// The tables of upstream's `pkg/apis/apiserver/validation/validation_test.go` gave the ideas.
describe('readAuthenticationConfiguration', () => {
  it('reads the rules of issuers and of anonymous requests', () => {
    const given = {
      url: 'https://other.example',
      discoveryURL: 'https://inside.example/x',
      audiences: ['kube', 'web'],
      audienceMatchPolicy: 'MatchAny',
      certificateAuthority: CERTIFICATE,
    };
    const { issuers, anonymous } = read({
      jwt: [
        jwt({
          issuer: given,
          claimValidationRules: [
            { claim: 'hd', requiredValue: 'example.org' },
            { expression: 'true', message: 'm' },
          ],
          claimMappings: { username, groups: { claim: 'g', prefix: 'p:' }, uid: { claim: 'id' } },
          userValidationRules: [{ expression: 'user.username != ""', message: 'n' }],
        }),
      ],
      anonymous: { enabled: true, conditions: [{ path: '/livez' }] },
    });
    const [only] = issuers;
    assert.deepEqual(
      [only?.url, only?.discoveryUrl, only?.audiences, only?.certificateAuthority],
      [given.url, given.discoveryURL, given.audiences, CERTIFICATE],
    );
    assert.deepEqual([...(only?.requiredClaims ?? [])], [['hd', 'example.org']]);
    assert.deepEqual(
      [only?.username, only?.groups, only?.uid],
      [
        { claim: 'sub', prefix: '' },
        { claim: 'g', prefix: 'p:' },
        { claim: 'id', prefix: '' },
      ],
    );
    assert.deepEqual(
      [...(only?.claimConditions ?? []), ...(only?.userConditions ?? [])].map(({ message }) => message),
      ['m', 'n'],
    );
    assert.deepEqual(anonymous, { enabled: true, paths: new Set(['/livez']) });
  });

  it('needs no issuer, and leaves anonymous requests to the flag', () => {
    assert.deepEqual(read({}), { issuers: [], anonymous: undefined });
    assert.deepEqual(read({ anonymous: {} }).anonymous, { enabled: false, paths: undefined });
  });

  it('knows the older versions, and no other fields', () => {
    for (const version of ['v1beta1', 'v1alpha1']) {
      const config = { ...HEAD, apiVersion: `apiserver.config.k8s.io/${version}`, jwt: [jwt()] };
      assert.equal(readAuthenticationConfiguration(JSON.stringify(config), []).issuers.length, 1);
    }
    assert.equal(fault({ jwt: [jwt({ more: 1 })] }), 'strict decoding error: unknown field "jwt[0].more"');
  });

  const I = 'jwt[0].issuer';
  const M = 'jwt[0].claimMappings';
  const R = 'jwt[0].claimValidationRules';
  const both = "claim and expression can't both be set";
  const cases: readonly (readonly [config: object, message: string])[] = [
    [{ jwt: [jwt(), jwt()] }, 'jwt[1].issuer.url: Duplicate value: "https://issuer.example"'],
    [
      {
        jwt: ['https://a.example', 'https://b.example'].map((url) =>
          jwt({ issuer: { ...issuer, url, discoveryURL: 'https://inside.example/x' } }),
        ),
      },
      'jwt[1].issuer.discoveryURL: Duplicate value: "https://inside.example/x"',
    ],
    [
      { jwt: Array.from({ length: 65 }, (_, n) => jwt({ issuer: { ...issuer, url: `https://${n}` } })) },
      'jwt: Too many: 65: must have at most 64 items',
    ],
    [withIssuer({ url: '' }), `${I}.url: Required value`],
    [withIssuer({ url: 'http://a' }), `${I}.url: Invalid value: "http://a": URL scheme must be https`],
    [
      withIssuer({ url: 'https://u@a' }),
      `${I}.url: Invalid value: "https://u@a": URL must not contain a username or password`,
    ],
    [withIssuer({ url: 'https://a?b=c' }), `${I}.url: Invalid value: "https://a?b=c": URL must not contain a query`],
    [withIssuer({ url: 'https://a#b' }), `${I}.url: Invalid value: "https://a#b": URL must not contain a fragment`],
    [
      withIssuer({ discoveryURL: 'https://issuer.example/' }),
      `${I}.discoveryURL: Invalid value: "https://issuer.example/": discoveryURL must be different from URL`,
    ],
    [withIssuer({ audiences: [] }), `${I}.audiences: Required value: at least one ${I}.audiences is required`],
    [withIssuer({ audiences: ['a', 'a'], audienceMatchPolicy: 'MatchAny' }), `${I}.audiences[1]: Duplicate value: "a"`],
    [withIssuer({ audiences: [''] }), `${I}.audiences[0]: Required value`],
    [
      withIssuer({ audiences: ['a', 'b'] }),
      `${I}.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences`,
    ],
    [
      withIssuer({ audienceMatchPolicy: 'MatchAll' }),
      `${I}.audienceMatchPolicy: Invalid value: "MatchAll": audienceMatchPolicy must be empty or MatchAny for single audience`,
    ],
    [
      withIssuer({ certificateAuthority: 'x' }),
      `${I}.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates`,
    ],
    [
      withIssuer({ egressSelectorType: 'cluster' }),
      `${I}.egressSelectorType: Invalid value: "cluster": egress selectors are not supported`,
    ],
    [rules({}), `${R}[0]: Required value: claim or expression is required`],
    [rules({ claim: 'a', expression: 'true' }), `${R}[0]: Invalid value: "a": ${both}`],
    [
      rules({ claim: 'a', message: 'm' }),
      `${R}[0].message: Invalid value: "m": may not be specified when claim is set`,
    ],
    [
      rules({ expression: 'true', requiredValue: 'v' }),
      `${R}[0].requiredValue: Invalid value: "v": may not be specified when expression is set`,
    ],
    [rules({ claim: 'a' }, { claim: 'a' }), `${R}[1].claim: Duplicate value: "a"`],
    [rules({ expression: 'true' }, { expression: 'true' }), `${R}[1].expression: Duplicate value: "true"`],
    [rules({ expression: '1' }), `${R}[0].expression: Invalid value: "1": must evaluate to bool`],
    [withMappings({ username: {} }), `${M}.username: Required value: claim or expression is required`],
    [
      withMappings({ username: { claim: 'a' } }),
      `${M}.username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing`,
    ],
    [
      withMappings({ username: { claim: 'a', prefix: '', expression: '"x"' } }),
      `${M}.username: Invalid value: "": ${both}`,
    ],
    [
      withMappings({ username: { expression: '"x"', prefix: 'p' } }),
      `${M}.username.prefix: Invalid value: "p": may not be specified when expression is set`,
    ],
    [withMappings({ uid: { claim: 'a', expression: '"x"' } }), `${M}.uid: Invalid value: "": ${both}`],
    [
      withMappings({ extra: [{ key: 'a', valueExpression: '"x"' }] }),
      `${M}.extra[0].key: Invalid value: "a": must be a domain-prefixed path (such as "acme.io/foo")`,
    ],
    [
      withMappings({ extra: [{ key: 'a.io/B', valueExpression: '"x"' }] }),
      `${M}.extra[0].key: Invalid value: "a.io/B": must be lowercase`,
    ],
    [
      withMappings({ extra: [{ key: 'x.k8s.io/b', valueExpression: '"x"' }] }),
      `${M}.extra[0].key: Invalid value: "x.k8s.io/b": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use`,
    ],
    [
      withMappings({ extra: ['"x"', '"y"'].map((valueExpression) => ({ key: 'a.io/b', valueExpression })) }),
      `${M}.extra[1].key: Duplicate value: "a.io/b"`,
    ],
    [withMappings({ extra: [{ key: 'a.io/b' }] }), `${M}.extra[0].valueExpression: Required value`],
    [{ jwt: [jwt({ userValidationRules: [{}] })] }, 'jwt[0].userValidationRules[0].expression: Required value'],
    [
      { anonymous: { conditions: [{ path: '/a' }] } },
      'anonymous.conditions: Invalid value: [{"path":"/a"}]: enabled should be set to true when conditions are defined',
    ],
  ];
  for (const [config, message] of cases) it(message, () => assert.equal(fault(config), message));

  it('refuses the issuer of service account tokens', () => {
    const expected = `${I}.url: Invalid value: "https://issuer.example": URL must not overlap with disallowed issuers: [https://a https://issuer.example]`;
    assert.equal(fault({ jwt: [jwt()] }, ['https://issuer.example', 'https://a']), expected);
  });

  it('names the place of an expression that does not compile', () => {
    const message = fault(withMappings({ username: { expression: 'claims.' } }));
    assert.match(
      message,
      /^jwt\[0\]\.claimMappings\.username\.expression: Invalid value: "claims\.": compilation failed: /,
    );
    assert.match(
      fault({ jwt: [jwt({ userValidationRules: [{ expression: 'claims.a == 1' }] })] }),
      /undeclared reference to 'claims'/,
    );
  });

  // Upstream's tables are in apiserver `pkg/authentication/cel/compile_test.go`.
  const M0 = `${M}.uid.expression`;
  const U0 = 'jwt[0].userValidationRules[0].expression';
  const mapping = (expression: string) => withMappings({ uid: { expression } });
  const condition = (expression: string) => rules({ expression });
  const userCondition = (expression: string) => ({ jwt: [jwt({ userValidationRules: [{ expression }] })] });
  const notCompiled = (problem: string) => `compilation failed: ERROR: <input>:${problem}`;
  const noRange = "expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)";
  for (const [config, path, source, problem] of [
    [mapping, M0, 'claims.foo', ''],
    [condition, `${R}[0].expression`, "claims.foo == 'bar'", ''],
    [userCondition, U0, "user.username == 'bar' && user.extra['a'] == ['b']", ''],
    [condition, `${R}[0].expression`, 'claims.foo', 'must evaluate to bool'],
    [userCondition, U0, 'user.username', 'must evaluate to bool'],
    [mapping, M0, 'user.username', notCompiled("1:1: undeclared reference to 'user' (in container '')")],
    [userCondition, U0, 'claims.foo == 1', notCompiled("1:1: undeclared reference to 'claims' (in container '')")],
    [userCondition, U0, "user.unknown == 'foo'", notCompiled("1:5: undefined field 'unknown'")],
    [
      userCondition,
      U0,
      "user.extra['a'] == 1",
      notCompiled("1:17: found no matching overload for '_==_' applied to '(list(string), int)'"),
    ],
    [
      mapping,
      M0,
      'claims + 1',
      notCompiled("1:8: found no matching overload for '_+_' applied to '(map(string, any), int)'"),
    ],
    [mapping, M0, 'claims.groups.map(g, g)', notCompiled(`1:7: ${noRange}`)],
    [condition, `${R}[0].expression`, 'claims.a.all(x, true)', notCompiled(`1:7: ${noRange}`)],
    [condition, `${R}[0].expression`, 'claims.a.b.all(x, true)', ''],
    [mapping, M0, 'dyn(claims.groups).map(g, g)', ''],
    [mapping, M0, 'claims.map(name, name)', ''],
  ] as const) {
    it(`${problem === '' ? 'compiles' : 'refuses'} the expression ${source}`, () => {
      const [line = ''] = fault(config(source)).split('\n');
      assert.equal(line, problem === '' ? '' : `${path}: Invalid value: ${JSON.stringify(source)}: ${problem}`);
    });
  }

  it('requires a check of email_verified in any expression that makes a user name of an email address', () => {
    const mail = { username: { expression: 'claims.email' } };
    assert.match(
      fault(withMappings(mail)),
      /^jwt\[0\].claimMappings.username.expression: .*email_verified must be used/,
    );
    for (const expression of [
      'claims.email_verified',
      'claims.?email_verified.orValue(true)',
      'has(claims.email_verified)',
    ]) {
      assert.equal(
        fault({ jwt: [jwt({ claimMappings: mail, claimValidationRules: [{ expression: `${expression} == true` }] })] }),
        '',
        expression,
      );
    }
    const extra = [{ key: 'a.io/b', valueExpression: 'string(claims.email_verified)' }];
    assert.equal(fault(withMappings({ ...mail, extra })), '');
  });
});
