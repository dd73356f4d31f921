/**
 * Pages, watches and converted lists of a large collection, and many watches of one. As large as
 * `large-lists.process.test.mjs` says.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { definition } from '../custom-resources/definition.mjs';
import { Webhook } from '../custom-resources/webhook.mjs';
import { isFull } from './full-size.mjs';
import { MeasuredServer } from './measured-server.mjs';

const count = Number(process.env.HOSTILE_PODS ?? 3000);
const bytes = Number(process.env.HOSTILE_POD_BYTES ?? 1000);
const PAGE = 500;
/** Each watch sees each object. */
const WATCHES = isFull ? 1000 : 50;
const OBJECTS = isFull ? 1000 : 100;
const WATCHES_PER_CONNECTION = 100;
/** Of watches that no client reads, each. */
const UNREAD_BYTES = 1024 * 1024;
/** Watches of an administrator, each of which gets the present objects first. */
const STATES = isFull ? 2000 : 100;
const STATE_OBJECTS = 300;
/** Over connections of their own, in HTTP/1.1. */
const CONNECTIONS = isFull ? 300 : 50;
const CREATED_AT_ONCE = 20;
const LINE_END = 10;

const pods = '/api/v1/namespaces/default/pods';
const configMaps = '/api/v1/namespaces/watched/configmaps';

describe(`events of ${count} pods`, () => {
  let server;
  let client;
  let webhook;
  before(async () => {
    webhook = await Webhook.start();
    server = await MeasuredServer.start({ pods: count, bytes });
    client = server.client;
    await client.send('POST', '/api/v1/namespaces', '{"metadata":{"name":"watched"}}');
    // The first read keeps the canonical form of objects of an older server, which is not part of a page's cost.
    assert.equal((await client.send('GET', `${pods}?labelSelector=absent`)).status, 200);
  });
  after(async () => {
    await server.stop();
    await webhook.stop();
  });

  /** Opens a watch; `seen` is the number of its events. */
  function watch(open, path) {
    const stream = open({ ':path': path });
    const watched = { seen: 0, stop: () => stream.destroy() };
    stream.on('data', (chunk) => {
      for (const byte of chunk) if (byte === LINE_END) watched.seen++;
    });
    watched.opened = new Promise((resolve) => stream.once('response', (head) => resolve(head[':status'])));
    return watched;
  }

  async function untilSeen(watches, events) {
    while (watches.some(({ seen }) => seen < events)) await pause(20);
  }

  async function createAll(path, objects, data) {
    for (let from = 0; from < objects; from += CREATED_AT_ONCE) {
      await Promise.all(
        Array.from({ length: CREATED_AT_ONCE }, async (_, index) => {
          const body = JSON.stringify({ metadata: { name: `o${from + index}` }, data });
          assert.equal((await client.send('POST', path, body)).status, 201);
        }),
      );
    }
  }

  it(`read all pages of ${PAGE}`, (test) =>
    server.bounded(test, async () => {
      let read = 0;
      for (let token = ''; ; ) {
        const page = await client.send('GET', `${pods}?limit=${PAGE}&continue=${token}`);
        assert.equal(page.status, 200, page.text.slice(0, 300));
        read += page.json.items.length;
        token = page.json.metadata.continue ?? '';
        if (token === '') break;
      }
      assert.equal(read, count);
    }));

  it('read a list that a webhook converts', async (test) => {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const widget = definition({
      group: 'hostile.example.com',
      plural: 'widgets',
      kind: 'Widget',
      versions: [{ schema }, { name: 'v2', schema }],
      spec: { conversion: webhook.conversion() },
    });
    await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', JSON.stringify(widget));
    const path = '/apis/hostile.example.com/v2/widgets';
    while ((await client.send('GET', `${path}?limit=1`)).status !== 200) await pause(50);
    const { json } = await server.bounded(test, () => client.send('GET', path));
    assert.equal(json.items.length, count / 10);
    assert.equal(json.items[0].apiVersion, 'hostile.example.com/v2');
  });

  it('watch all pods from the beginning', (test) =>
    server.bounded(test, async () => {
      const { session, open } = client.session();
      const watched = watch(open, `${pods}?watch=1&resourceVersion=0`);
      await untilSeen([watched], count);
      session.destroy();
    }));

  it(`read none of ${WATCHES} watches from before the cache`, (test) => {
    const connections = Array.from({ length: Math.ceil(WATCHES / WATCHES_PER_CONNECTION) }, () => client.session());
    const attack = async () => {
      const streams = Array.from({ length: WATCHES }, (_, index) =>
        connections[index % connections.length].open({ ':path': `${pods}?watch=1&resourceVersion=1` }),
      );
      await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('readable', resolve))));
      // One that is read sees all, as soon as the others have had time for it, too.
      const reader = client.session();
      connections.push(reader);
      const watched = watch(reader.open, `${pods}?watch=1&resourceVersion=1`);
      await untilSeen([watched], count);
      watched.stop();
    };
    return server
      .bounded(test, attack, WATCHES * UNREAD_BYTES)
      .finally(() => connections.forEach(({ session }) => session.destroy()));
  });

  it(`create ${OBJECTS} objects before ${WATCHES} watches`, (test) =>
    server.bounded(test, async () => {
      const connections = Array.from({ length: Math.ceil(WATCHES / WATCHES_PER_CONNECTION) }, () => client.session());
      const watches = Array.from({ length: WATCHES }, (_, index) =>
        watch(connections[index % connections.length].open, `${configMaps}?watch=1`),
      );
      for (const { opened } of watches) assert.equal(await opened, 200);
      await createAll(configMaps, OBJECTS, { a: 'b' });
      await untilSeen(watches, OBJECTS);
      for (const { session } of connections) session.destroy();
    }));

  it(`open ${STATES} watches with initial states of ${STATE_OBJECTS} objects at once`, async (test) => {
    await client.send('POST', '/api/v1/namespaces', '{"metadata":{"name":"stated"}}');
    const path = '/api/v1/namespaces/stated/configmaps';
    await createAll(path, STATE_OBJECTS, { a: 'x'.repeat(300) });
    const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const connections = Array.from({ length: Math.ceil(STATES / WATCHES_PER_CONNECTION) }, () => client.session());
    await server.bounded(test, async () => {
      const watches = Array.from({ length: STATES }, (_, index) =>
        watch(connections[index % connections.length].open, `${path}?watch=1&${initial}`),
      );
      // The bookmark after the initial state is one more line.
      await untilSeen(watches, STATE_OBJECTS + 1);
    });
    for (const { session } of connections) session.destroy();
  });

  it(`change an object of 1 MB before ${CONNECTIONS} watches that are not read, over HTTP/1.1`, async (test) => {
    await client.send('POST', '/api/v1/namespaces', '{"metadata":{"name":"large"}}');
    const path = '/api/v1/namespaces/large/configmaps';
    await client.send('POST', path, JSON.stringify({ metadata: { name: 'one' } }));
    const watches = Array.from({ length: CONNECTIONS }, () => client.open('GET', `${path}?watch=1`));
    for (const { request } of watches) request.end();
    for (const { answer } of watches) (await answer).pause();
    await server.bounded(test, async () => {
      const body = JSON.stringify({ metadata: { name: 'one' }, data: { a: 'x'.repeat(1_000_000) } });
      assert.equal((await client.send('PUT', `${path}/one`, body)).status, 200);
      // One that is read sees the change, as soon as the others have had time for it, too.
      const { session, open } = client.session();
      await untilSeen([watch(open, `${path}?watch=1`)], 1);
      session.destroy();
    });
    for (const { request } of watches) request.destroy();
  });

  it('delete all pods while a client watches', (test) =>
    server.bounded(test, async () => {
      const { session, open } = client.session();
      const { json } = await client.send('GET', `${pods}?limit=1`);
      const watched = watch(open, `${pods}?watch=1&resourceVersion=${json.metadata.resourceVersion}`);
      assert.equal(await watched.opened, 200);
      const grace = JSON.stringify({ gracePeriodSeconds: 0 });
      const deletes = Date.now();
      let answer;
      // A request ends after a minute, and what it has not deleted is left to the next one.
      do answer = await client.send('DELETE', pods, grace);
      while (answer.status === 504 && Date.now() - deletes < 1_200_000);
      assert.equal(answer.status, 200, answer.text.slice(0, 300));
      await untilSeen([watched], count);
      session.destroy();
    }));
});
