import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { type Answers, at, first, list, listed, page, run, web } from './run.testing.js';

describe('diff', () => {
  it('prints what differs between two points', async () => {
    const time = { type: 'time', text: '2026-11-28T10:00:00Z' } as const;
    assert.equal(
      await run({ action: 'diff', from: time, to: at('14'), target: web }, listed),
      'configmaps/default/web\n  - .data.color: "red"\n  + .data.color: "blue"\n  + .data.size: "big"\n',
    );
  });

  it('leaves out kinds that the user did not name and may not read', async () => {
    const scope = { namespace: 'default' };
    assert.equal(await run({ action: 'diff', from: at('14'), to: at('14'), target: undefined }, listed, { scope }), '');
  });
});

describe('get', () => {
  const get = { action: 'get', target: web, at: at('10'), output: 'json' } as const;
  it('prints the object as it was', async () => {
    assert.deepEqual(JSON.parse(await run(get, listed)), first);
    assert.match(await run({ ...get, output: 'yaml' }, listed), /^data:\n {2}color: red$/m);
  });

  it('prints a list of a kind', async () => {
    const printed: unknown = JSON.parse(await run({ ...get, target: { kind: 'configmaps' } }, listed));
    assert.deepEqual(printed, { apiVersion: 'v1', kind: 'List', items: [first] });
  });

  it('takes all namespaces for a kind, and not for the name of an object', async () => {
    const scope = { allNamespaces: true };
    const everywhere: Answers = { ...listed, 'GET /api/v1/configmaps': () => list(first) };
    const printed: unknown = JSON.parse(await run({ ...get, target: { kind: 'configmaps' } }, everywhere, { scope }));
    assert.deepEqual(printed, { apiVersion: 'v1', kind: 'List', items: [first] });
    await assert.rejects(run(get, everywhere, { scope }), /pass --namespace in place of --all-namespaces/);
  });

  it('rejects if there was none', async () => {
    await assert.rejects(run({ ...get, at: at('9') }, listed), /^Error: there was no configmap\/web then$/);
  });
});

describe('export', () => {
  const request = {
    action: 'export',
    transfer: undefined,
    target: undefined,
    at: at('10'),
    withSecrets: false,
  } as const;
  const scope = { namespace: 'default' };

  it('prints Secrets only for those who ask for them', async () => {
    const secret: JsonObject = { ...first, kind: 'Secret', metadata: { name: 'key', namespace: 'default' } };
    const secrets = '/api/v1/namespaces/default/secrets';
    const answers: Answers = {
      ...listed,
      [`GET ${secrets}`]: () => list(secret),
      [`GET ${secrets}/key`]: () => ({ object: secret }),
      [`GET /binnacle/v1/history${secrets}`]: () => page([], { resourceVersion: '10' }),
    };
    assert.doesNotMatch(await run(request, answers, { scope }), /kind: Secret/);
    assert.match(await run({ ...request, withSecrets: true }, answers, { scope }), /kind: Secret/);
    assert.match(await run({ ...request, target: { kind: 'secrets' } }, answers, { scope }), /kind: Secret/);
  });

  it('prints objects that another server can create', async () => {
    const printed = await run(request, listed, { scope });
    assert.match(printed, /^---\n/);
    assert.match(printed, /^ {2}color: red$/m);
    assert.doesNotMatch(printed, /resourceVersion|uid/);
  });
});
