import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemoryKV } from '@binnacle/kv/memory';
import { answer } from '../testing/index.js';
import { testResourceApi } from './server.testing.js';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

/** Writes the number to the replicas of a deployment. Returns the new replicas, or the status and the reason. */
type Write = (number: string) => Promise<number | string>;

const deployment = (number: string): string =>
  '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},' +
  '"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}},' +
  `"replicas": ${number}}}`;
const change = (number: string): string => `{"spec":{"replicas":${number}}}`;
const operation = (number: string): string => `[{"op":"add","path":"/spec/replicas","value":${number}}]`;

async function withDeployment(
  run: (writer: (method: string, type: string, body: (number: string) => string) => Write) => Promise<void>,
): Promise<void> {
  await using kv = openMemoryKV();
  const api = testResourceApi(kv);
  const endpoint = api.catalog.find('apps', 'deployments');
  assert.ok(endpoint !== undefined);
  const send = (method: string, url: string, type: string, body: string) =>
    answer({ ...endpoint, plugins: [] }, { method, url, headers: { 'content-type': type }, body });
  try {
    assert.equal((await send('POST', DEPLOYMENTS, 'application/json', deployment('1'))).status, 201);
    await run((method, type, body) => async (number) => {
      const query = type.includes('apply') ? 'fieldManager=m&force=true' : '';
      const { status, body: text } = await send(method, `${DEPLOYMENTS}/d?${query}`, type, body(number));
      const { spec, message = '' } = JSON.parse(text) as { spec?: { replicas: number }; message?: string };
      return spec?.replicas ?? `${status} ${message.slice(message.lastIndexOf(': ') + 2)}`;
    });
  } finally {
    api.catalog.stop();
  }
}

test('server-side apply and strategic merge convert a number to the width of its field', () =>
  withDeployment(async (writer) => {
    const apply = writer('PATCH', 'application/apply-patch+yaml', deployment);
    const strategic = writer('PATCH', 'application/strategic-merge-patch+json', change);
    const refused = '422 must be greater than or equal to 0';
    const cases: readonly (readonly [number: string, replicas: number | string])[] = [
      ['2147483648', refused],
      ['4294967298', 2],
      ['-2147483649', 2147483647],
      ['9007199254740993', 1],
      ['9223372036854775808', 0],
      ['1e3', 1000],
      ['1.0', 1],
      ['1e30', 0],
    ];
    for (const [number, replicas] of cases) {
      assert.equal(await apply(number), replicas, number);
      assert.equal(await strategic(number), replicas, number);
    }
    assert.equal(await apply('1.5'), '500 cannot convert float64 to int32');
    assert.equal(await strategic('1.5'), '422 cannot convert float64 to int32');
  }));

test('all other writes read a number from its text', () =>
  withDeployment(async (writer) => {
    const unreadable = (number: string): string =>
      `cannot unmarshal number ${number} into Go struct field DeploymentSpec.spec.replicas of type int32`;
    const writers: readonly (readonly [Write, status: number])[] = [
      [writer('PUT', 'application/json', deployment), 400],
      [writer('PATCH', 'application/merge-patch+json', change), 422],
      [writer('PATCH', 'application/json-patch+json', operation), 422],
    ];
    for (const [write, status] of writers) {
      for (const number of ['2147483648', '9223372036854775808', '1e3', '1.0', '1.5', '1e30']) {
        assert.equal(await write(number), `${status} ${unreadable(number)}`);
      }
    }
    const yaml = writer('PUT', 'application/yaml', deployment);
    assert.equal(await yaml('1e3'), 1000);
    assert.equal(await yaml('4294967298'), `400 ${unreadable('4294967298')}`);
  }));
