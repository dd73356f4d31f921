import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTracingConfiguration } from './configuration.js';

const head = (version = 'v1') => `apiVersion: apiserver.config.k8s.io/${version}\nkind: TracingConfiguration\n`;

describe('readTracingConfiguration', () => {
  for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
    it(`reads ${version}`, () => {
      const source = `${head(version)}endpoint: unix:///run/collector.sock\nsamplingRatePerMillion: 100\n`;
      assert.deepEqual(readTracingConfiguration(source), {
        endpoint: 'unix:///run/collector.sock',
        samplingRatePerMillion: 100,
      });
    });
  }

  it('has the defaults of upstream', () => {
    assert.deepEqual(readTracingConfiguration(head()), { endpoint: 'localhost:4317', samplingRatePerMillion: 0 });
  });

  const naming =
    'Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md';
  for (const [fields, message] of [
    [
      'endpoint: http://x\n',
      `failed to validate tracing configuration: endpoint: Invalid value: "http://x": unsupported scheme: http.  ${naming}`,
    ],
    [
      'samplingRatePerMillion: -1\n',
      'failed to validate tracing configuration: samplingRatePerMillion: Invalid value: -1: sampling rate must be positive',
    ],
    [
      'samplingRatePerMillion: 1000001\nendpoint: ftp://a\n',
      `failed to validate tracing configuration: [samplingRatePerMillion: Invalid value: 1000001: sampling rate per million must be less than or equal to one million, endpoint: Invalid value: "ftp://a": unsupported scheme: ftp.  ${naming}]`,
    ],
    [
      'endpoint: a b://x\n',
      'failed to validate tracing configuration: endpoint: Invalid value: "a b://x": it is not an address',
    ],
    ['foo: 1\n', 'strict decoding error: unknown field "foo"'],
  ] as const) {
    it(`refuses ${fields.replaceAll('\n', ' ')}`, () =>
      assert.throws(() => readTracingConfiguration(head() + fields), { message }));
  }
});
