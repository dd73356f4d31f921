import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readEncryptionConfiguration } from './read-configuration.js';

const HEAD = 'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n';
const SECRET = Buffer.alloc(32, 1).toString('base64');
const KMS = 'apiVersion: v2, name: a, endpoint: "unix:///a.sock"';

const listed = (...resources: string[]): string =>
  `resources:\n- resources: ${JSON.stringify(resources)}\n  providers: [{identity: {}}]\n`;
const provided = (...providers: string[]): string =>
  `resources:\n- resources: [secrets]\n  providers: [${providers.join(', ')}]\n`;
const keyed = (key: string, provider = 'aescbc'): string => provided(`{${provider}: {keys: [${key}]}}`);

const read = (text: string, reloads = false) => readEncryptionConfiguration(HEAD + text, reloads);

describe('readEncryptionConfiguration', () => {
  it('reads every field', () => {
    const secret = Uint8Array.from(Buffer.alloc(32, 1));
    const text = provided(
      `{aescbc: {keys: [{name: a, secret: ${SECRET}}]}}`,
      `{aesgcm: {keys: [{name: b, secret: ${SECRET}}]}}`,
      `{secretbox: {keys: [{name: c, secret: ${SECRET}}]}}`,
      `{kms: {${KMS}, timeout: 500ms}}`,
      '{identity: {}}',
    );
    const rules = read(text).map(({ resources, providers }) => ({
      resources,
      providers: providers.map((each) =>
        'keys' in each
          ? { ...each, keys: each.keys.map((key) => ({ ...key, secret: Uint8Array.from(key.secret) })) }
          : each,
      ),
    }));
    assert.deepEqual(rules, [
      {
        resources: ['secrets'],
        providers: [
          { type: 'aescbc', keys: [{ name: 'a', secret }] },
          { type: 'aesgcm', keys: [{ name: 'b', secret }] },
          { type: 'secretbox', keys: [{ name: 'c', secret }] },
          { type: 'kms', kms: { name: 'a', socket: '/a.sock', timeoutMs: 500 } },
          { type: 'identity' },
        ],
      },
    ]);
    const [first] = read(provided(`{kms: {${KMS}}}`));
    assert.deepEqual(first?.providers, [{ type: 'kms', kms: { name: 'a', socket: '/a.sock', timeoutMs: 3000 } }]);
  });

  it('accepts the same resource in several lists, and wildcards after it', () => {
    const text = `${listed('secrets', 'pandas.bears')}- resources: [secrets]\n  providers: [{identity: {}}]\n- resources: ['*.bears', '*.*']\n  providers: [{identity: {}}]\n`;
    assert.throws(() => read(text), /overlapping/);
    assert.equal(read(text.replace("'*.bears', '*.*'", "'*.'")).length, 3);
  });

  const EXPECTED = 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity';
  const OVERLAP =
    "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";
  for (const [text, message] of [
    ['resource: []\n', 'strict decoding error: unknown field "resource"'],
    ['resources: []\n', 'resources: Required value: at least one resources is required'],
    [
      'resources:\n- {}\n',
      '[resources[0].resources: Required value: at least one resources[0].resources is required, ' +
        'resources[0].providers: Required value: at least one resources[0].providers is required]',
    ],
    [provided('{}'), `resources[0].providers[0]: Invalid value: {}: ${EXPECTED}`],
    [
      provided('{identity: {}, aescbc: {keys: [{name: a, secret: AAAA}]}}'),
      '[resources[0].providers[0]: Invalid value: ["aescbc","identity"]: more than one provider specified in a single ' +
        'element, should split into different list elements, resources[0].providers[0].aescbc.keys[0].secret: Invalid value: ' +
        '"REDACTED": secret is not of the expected length, got 3, expected one of [16 24 32]]',
    ],
    [provided('{aesgcm: {}}'), 'resources[0].providers[0].aesgcm.keys: Required value: at least one keys is required'],
    [
      keyed(`{secret: ${SECRET}}`),
      'resources[0].providers[0].aescbc.keys[0].name: Required value: name is a mandatory field for a key',
    ],
    [
      keyed('{name: a}'),
      'resources[0].providers[0].aescbc.keys[0].secret: Required value: secret is a mandatory field for a key',
    ],
    [
      keyed('{name: a, secret: "+"}'),
      'resources[0].providers[0].aescbc.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded',
    ],
    [
      keyed('{name: a, secret: AAAAAAAAAAAAAAAAAAAAAA==}', 'secretbox'),
      'resources[0].providers[0].secretbox.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, ' +
        'got 16, expected one of [32]',
    ],
    [listed('secrets', 'secrets'), 'the same resource cannot be specified multiple times'],
    [listed('secrets', '*.'), OVERLAP],
    [listed('*.*', 'pandas.bears'), OVERLAP],
    [
      listed('Secrets'),
      'resources[0].resources[0]: Invalid value: "Secrets": resource name should not contain capital letters',
    ],
    [listed('*'), "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources"],
    [listed('apiserveripinfo'), 'resources which do not have REST API/s cannot be encrypted'],
    [listed('*.events.k8s.io'), "objects are stored using the 'events' API group in etcd. Use 'events' instead"],
    [listed('ingresses.extensions'), "'extensions' group has been removed and cannot be used for encryption"],
    [listed('secrets.*'), 'encrypting the same resource across groups is not supported'],
    [
      `${listed('*.')}- resources: [secrets]\n  providers: [{identity: {}}]\n`,
      'resource "secrets" is masked by earlier rule "*."',
    ],
    [
      `${listed('*.*')}- resources: ['*.apps']\n  providers: [{identity: {}}]\n`,
      'resource "*.apps" is masked by earlier rule "*.*"',
    ],
    [
      provided('{kms: {apiVersion: v3}}'),
      '[resources[0].providers[0].kms.name: Required value: name is a mandatory field for a provider, ' +
        'resources[0].providers[0].kms.endpoint: Invalid value: "": endpoint is a mandatory field for a kms, ' +
        'resources[0].providers[0].kms.apiVersion: Invalid value: "v3": unsupported apiVersion apiVersion for KMS provider, ' +
        'only v1 and v2 are supported]',
    ],
    [
      provided('{kms: {apiVersion: v2, name: "a:b", endpoint: "http://a", timeout: -1s, cachesize: 1}}'),
      '[resources[0].providers[0].kms.name: Invalid value: "a:b": invalid KMS provider name a:b, must not contain \':\', ' +
        'resources[0].providers[0].kms.timeout: Invalid value: "-1s": timeout should be a positive value, ' +
        'resources[0].providers[0].kms.endpoint: Invalid value: "http://a": unsupported scheme "http" for KMS provider, ' +
        'only unix is supported, resources[0].providers[0].kms.cachesize: Invalid value: 1: cachesize is not supported in v2]',
    ],
    [
      provided(`{kms: {${KMS}}}`, `{kms: {${KMS}}}`),
      'resources[0].providers[1].kms.name: Invalid value: "a": duplicate KMS provider name a, names must be unique',
    ],
    [
      provided('{kms: {name: a, endpoint: "unix:///a.sock", cachesize: 0}}'),
      'resources[0].providers[0].kms.cachesize: Invalid value: 0: cachesize should be a positive value, or negative to disable',
    ],
    [provided('{kms: {name: a, endpoint: "unix:///a.sock"}}'), 'KMSv1 is deprecated'],
    [provided(`{kms: {${KMS.replace('/a.sock', '/@a')}}}`), 'is an abstract socket: give a path'],
  ] as const) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => read(text),
        (error) => error instanceof Error && error.message.includes(message) && !error.message.includes(SECRET),
      );
    });
  }

  it('refuses two providers of version 1 with one name when the file is read again', () => {
    const v1 = '{kms: {name: a, endpoint: "unix:///a.sock"}}';
    assert.throws(() => read(provided(v1, v1), true), /duplicate KMS provider name a, names must be unique/);
  });
});
