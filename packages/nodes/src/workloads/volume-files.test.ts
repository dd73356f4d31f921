import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { filesOf, sourcesOf, tokensOf, unsupportedVolume } from './volume-files.js';

type Volume = NonNullable<NonNullable<Pod['spec']>['volumes']>[number];

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'n', labels: { b: '2', a: '1' } },
  spec: { containers: [{ name: 'c', resources: { limits: { memory: '64Mi' } } }] },
};
const objects = new Map([
  [
    'ConfigMap/m',
    new Map([
      ['k', 'text'],
      ['l', 'more'],
    ]),
  ],
  ['Secret/s', new Map([['k', 'secret']])],
]);
const contents = {
  bytesOf: ({ kind, name }: { kind: string; name: string }) => {
    const found = objects.get(`${kind}/${name}`);
    return found && new Map(Array.from(found, ([key, text]) => [key, Buffer.from(text)]));
  },
  tokenOf: (volume: string, { path, audience = '' }: { path: string; audience?: string }) =>
    `${volume}/${path}/${audience}`,
};
const textsOf = (volume: Volume): Record<string, string> =>
  Object.fromEntries(
    Array.from(filesOf(volume, pod, contents), ([path, { bytes, mode }]) => [
      path,
      `${mode.toString(8)} ${bytes.toString()}`,
    ]),
  );

describe('the files of a volume', () => {
  const cases: Record<string, [Volume, Record<string, string>]> = {
    'a ConfigMap': [
      { name: 'v', configMap: { name: 'm' } },
      { k: '644 text', l: '644 more' },
    ],
    'items with modes': [
      {
        name: 'v',
        configMap: {
          name: 'm',
          defaultMode: 0o600,
          items: [
            { key: 'k', path: 'a/b' },
            { key: 'l', path: 'c', mode: 0o400 },
          ],
        },
      },
      { 'a/b': '600 text', c: '400 more' },
    ],
    'a Secret': [{ name: 'v', secret: { secretName: 's' } }, { k: '644 secret' }],
    'an optional object that is missing': [{ name: 'v', secret: { secretName: 'none', optional: true } }, {}],
    'fields of the pod': [
      {
        name: 'v',
        downwardAPI: {
          items: [
            { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
            { path: 'memory', resourceFieldRef: { containerName: 'c', resource: 'limits.memory', divisor: '1Mi' } },
          ],
        },
      },
      { labels: '644 a="1"\nb="2"', memory: '644 64' },
    ],
    'a projection': [
      {
        name: 'v',
        projected: {
          sources: [
            { serviceAccountToken: { path: 'token', audience: 'a' } },
            { configMap: { name: 'm', items: [{ key: 'k', path: 'ca.crt' }] } },
            { secret: { name: 's' } },
            { downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] } },
          ],
        },
      },
      { token: '600 v/token/a', 'ca.crt': '644 text', k: '644 secret', namespace: '644 n' },
    ],
    'an emptyDir': [{ name: 'v', emptyDir: {} }, {}],
  };
  for (const [title, [volume, files]] of Object.entries(cases)) {
    it(`are those of ${title}`, () => assert.deepEqual(textsOf(volume), files));
  }

  it('share the bytes of one field', () => {
    const items = ['a', 'b'].map((path) => ({ path, fieldRef: { fieldPath: 'metadata.labels' } }));
    const files = filesOf({ name: 'v', downwardAPI: { items } }, pod, contents);
    assert.equal(files.get('a')?.bytes, files.get('b')?.bytes);
  });

  it('are missing with an object or a key of it', () => {
    assert.throws(() => textsOf({ name: 'v', projected: { sources: [{ configMap: { name: 'none' } }] } }), {
      name: 'VolumeProblem',
      message: 'MountVolume.SetUp failed for volume "v" : configmap "none" not found',
    });
    const items = [{ key: 'none', path: 'x' }];
    assert.throws(() => textsOf({ name: 'v', secret: { secretName: 's', items } }), {
      message: 'MountVolume.SetUp failed for volume "v" : references non-existent secret key: none',
    });
  });
});

it('a volume names its objects and tokens', () => {
  const sources = [{ configMap: { name: 'm' } }, { secret: { name: 's' } }, { serviceAccountToken: { path: 't' } }];
  const volume: Volume = { name: 'v', projected: { sources } };
  assert.deepEqual(sourcesOf(volume), [
    { kind: 'ConfigMap', name: 'm' },
    { kind: 'Secret', name: 's' },
  ]);
  assert.deepEqual(tokensOf(volume), [{ path: 't', expirationSeconds: 3600 }]);
});

it('other types of volumes are refused by name', () => {
  assert.match(
    unsupportedVolume({ name: 'v', hostPath: { path: '/' } }) ?? '',
    /volume "v" : process nodes have no volumes of type hostPath/,
  );
  const sources = [{ clusterTrustBundle: { path: 'x' } }];
  assert.match(unsupportedVolume({ name: 'v', projected: { sources } }) ?? '', /projected with such sources/);
  assert.equal(unsupportedVolume({ name: 'v', emptyDir: {} }), undefined);
});
