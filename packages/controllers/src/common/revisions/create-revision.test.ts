import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DynamicClient } from '@binnacle/client/dynamic';
import type { DaemonSet } from '@binnacle/client/kinds/apps/v1';
import { type ScriptedAnswer, ScriptedTransport, VirtualClock } from '@binnacle/client/testing';
import { Expectations, Writer } from '../writes/index.js';
import { createRevision } from './create-revision.js';
import { revisionData } from './revision-data.js';

const owner: DaemonSet = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'sea', uid: 'agent-uid' },
};
const dataOf = (image: string) =>
  revisionData({
    metadata: { labels: { b: '', '10': '', '9': '', a: '' } },
    spec: { containers: [{ name: 'c', image }] },
  });

/** Creates a revision with the data of the image. Returns its body and the image that the result has. */
async function create(image: string, ...answers: ScriptedAnswer[]) {
  const bodies: string[] = [];
  const transport = new ScriptedTransport(({ body }) => {
    if (body !== undefined) bodies.push(String(body));
    return answers.shift() ?? { object: JSON.parse(String(body)) };
  });
  const writer = new Writer({
    client: new DynamicClient(transport),
    owner,
    expectations: new Expectations(new VirtualClock()),
    cacheOf: () => undefined,
    signal: new AbortController().signal,
  });
  const created = await createRevision(writer, {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name: 'agent-1', namespace: 'sea' },
    data: dataOf(image),
    revision: 1,
  });
  return { bodies, created };
}

const taken: ScriptedAnswer = {
  status: 409,
  object: { kind: 'Status', status: 'Failure', code: 409, reason: 'AlreadyExists', message: 'taken' },
};
const present = (image: string): ScriptedAnswer => ({
  object: {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name: 'agent-1', namespace: 'sea', uid: 'r' },
    data: dataOf(image),
    revision: 1,
  },
});

describe('createRevision', () => {
  it("sends the data in upstream's order, byte by byte", async () => {
    const { bodies } = await create('a&b');
    assert.equal(bodies.length, 1);
    assert.ok(
      bodies[0]?.includes(
        '"data":{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"10":"","9":"","a":"","b":""}},' +
          '"spec":{"containers":[{"image":"a\\u0026b","name":"c"}]}}}}',
      ),
      bodies[0],
    );
  });

  it('takes one with the same data, and none with other data', async () => {
    assert.equal((await create('a', taken, present('a'))).created?.metadata.name, 'agent-1');
    assert.equal((await create('a', taken, present('b'))).created, undefined);
  });
});
