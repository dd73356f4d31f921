import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { transportOver } from '../transport/index.js';
import { delegateTo } from './delegation.js';

const user = { name: 'jane', uid: 'u', groups: ['a'], extra: { scope: ['x'] } };
const attributes = {
  user,
  verb: 'list',
  isResourceRequest: true,
  namespace: 'n',
  group: 'g',
  version: 'v1',
  resource: 'things',
  subresource: '',
  name: '',
  path: '/apis/g/v1/namespaces/n/things',
};

describe('delegateTo', () => {
  /** A cluster that answers reviews with this status, and what it was asked. */
  function cluster(answer: () => JsonObject) {
    const asked: unknown[] = [];
    const clock = new VirtualClock();
    const transport = transportOver(
      async ({ body = '' }) => {
        asked.push((JSON.parse(String(body)) as JsonObject)['spec']);
        const text = JSON.stringify({ apiVersion: 'v1', kind: 'Review', status: answer() });
        const headers = { 'content-type': 'application/json' };
        return { status: 201, headers, body: pieces(text), cancel: () => undefined };
      },
      { clock },
    );
    return { asked, clock, delegation: delegateTo(transport, clock) };
  }

  it('asks once for concurrent and recent requests with a token', async () => {
    const { asked, clock, delegation } = cluster(() => ({
      authenticated: true,
      user: { username: 'jane', groups: ['a'] },
    }));
    const both = await Promise.all([delegation.userOf('t'), delegation.userOf('t')]);
    assert.deepEqual(both[0], { name: 'jane', uid: '', groups: ['a'], extra: {} });
    assert.deepEqual(asked, [{ token: 't' }]);
    await clock.advance(10_001);
    await delegation.userOf('t');
    assert.equal(asked.length, 2);
  });

  it('knows no user of a token that the cluster refuses', async () => {
    const { delegation } = cluster(() => ({ authenticated: false, error: 'no' }));
    assert.equal(await delegation.userOf('t'), undefined);
  });

  it('asks for the whole right of the whole user', async () => {
    const { asked, delegation } = cluster(() => ({ allowed: true, reason: 'a role' }));
    assert.deepEqual(await delegation.authorize(attributes), { allowed: true, reason: 'a role' });
    const resource = {
      namespace: 'n',
      verb: 'list',
      group: 'g',
      version: 'v1',
      resource: 'things',
      subresource: '',
      name: '',
    };
    assert.deepEqual(asked, [
      { user: 'jane', uid: 'u', groups: ['a'], extra: { scope: ['x'] }, resourceAttributes: resource },
    ]);
    await delegation.authorize({ ...attributes, user: { ...user, groups: [] } });
    assert.equal(asked.length, 2, 'another user');
    await delegation.authorize({ ...attributes, isResourceRequest: false, path: '/healthz', verb: 'get' });
    assert.deepEqual((asked[2] as JsonObject)['nonResourceAttributes'], { path: '/healthz', verb: 'get' });
  });

  it('refuses what the cluster does not allow', async () => {
    const { delegation } = cluster(() => ({ allowed: false, denied: true, reason: 'no' }));
    assert.deepEqual(await delegation.authorize(attributes), { allowed: false, denied: true, reason: 'no' });
  });
});

async function* pieces(text: string) {
  yield Buffer.from(text);
}
