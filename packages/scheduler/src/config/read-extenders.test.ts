import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { extenderOf } from './read-extenders.js';
import { readSchedulerConfiguration } from './read-configuration.js';

const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';

describe('extenders of a file', () => {
  it('have defaults', () => {
    assert.deepEqual(extenderOf({ urlPrefix: 'http://x' }), {
      urlPrefix: 'http://x',
      filterVerb: '',
      preemptVerb: '',
      prioritizeVerb: '',
      bindVerb: '',
      weight: 0,
      timeoutMs: 5000,
      nodeCacheCapable: false,
      managedResources: [],
      isIgnorable: false,
      tls: {
        insecure: false,
        serverName: undefined,
        caFile: undefined,
        certFile: undefined,
        keyFile: undefined,
        ca: undefined,
        cert: undefined,
        key: undefined,
      },
    });
  });

  it('are read from YAML', () => {
    const text = `${HEAD}extenders:
- urlPrefix: https://x
  filterVerb: f
  preemptVerb: q
  prioritizeVerb: p
  bindVerb: b
  weight: 2
  httpTimeout: 3s
  nodeCacheCapable: true
  ignorable: true
  managedResources: [{name: a.com/x}, {name: a.com/y, ignoredByScheduler: true}]
  tlsConfig: {insecure: true, serverName: host, caFile: c, certFile: d, keyFile: e, caData: Yw==, certData: ZA==, keyData: ZQ==}
`;
    const { configuration, warnings } = readSchedulerConfiguration(text);
    assert.deepEqual(warnings, []);
    assert.deepEqual(configuration.extenders, [
      {
        urlPrefix: 'https://x',
        filterVerb: 'f',
        preemptVerb: 'q',
        prioritizeVerb: 'p',
        bindVerb: 'b',
        weight: 2,
        timeoutMs: 3000,
        nodeCacheCapable: true,
        managedResources: ['a.com/x', 'a.com/y'],
        isIgnorable: true,
        tls: {
          insecure: true,
          serverName: 'host',
          caFile: 'c',
          certFile: 'd',
          keyFile: 'e',
          ca: 'c',
          cert: 'd',
          key: 'e',
        },
      },
    ]);
    assert.deepEqual(configuration.profiles[0]?.args.NodeResourcesFit?.ignoredResources, ['a.com/y']);
  });

  for (const [what, file, expected] of [
    ['HTTPS without an authority', { enableHTTPS: true }, true],
    ['HTTPS with an authority', { enableHTTPS: true, tlsConfig: { caData: 'Yw==' } }, false],
    ['HTTPS with the file of an authority', { enableHTTPS: true, tlsConfig: { caFile: 'c' } }, false],
    ['neither', {}, false],
  ] as const) {
    it(`accept any certificate: ${what}`, () => assert.equal(extenderOf(file).tls.insecure, expected));
  }
});
