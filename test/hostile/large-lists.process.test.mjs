/**
 * Lists of a large collection in every form, read fast, slowly and not at all. 6,000 pods of 1 KB, or as
 * `HOSTILE_PODS` and `HOSTILE_POD_BYTES` say; `npm run hostile` sets them.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { definition } from '../custom-resources/definition.mjs';
import { isFull } from './full-size.mjs';
import { MEGABYTE, MeasuredServer } from './measured-server.mjs';

const count = Number(process.env.HOSTILE_PODS ?? 6000);
const bytes = Number(process.env.HOSTILE_POD_BYTES ?? 1000);
/** A request that takes longer ends before its answer does. */
const REQUEST_LIMIT_MS = 60_000;
/** The errors of an answer that the server cuts. */
const RESETS = ['ECONNRESET', 'ERR_HTTP2_STREAM_ERROR', 'ERR_STREAM_PREMATURE_CLOSE'];
/** How long clients leave their answers unread; a large list takes the server longer to start. */
const UNREAD_MS = isFull ? 3000 : 1000;

const pods = '/api/v1/pods';
const widgets = '/apis/hostile.example.com/v1/widgets';
const newerWidgets = '/apis/hostile.example.com/v2/widgets';
const table = (type, version) => `application/${type};as=Table;v=${version};g=meta.k8s.io`;
const metadata = (type, version) => `application/${type};as=PartialObjectMetadataList;v=${version};g=meta.k8s.io`;
const protobuf = 'vnd.kubernetes.protobuf';

/** Name, path, headers. */
const forms = [
  ['JSON', pods, {}],
  ['JSON packed by gzip', pods, { 'accept-encoding': 'gzip' }],
  ['indented JSON', `${pods}?pretty=true`, {}],
  ['indented JSON for curl, packed by gzip', pods, { 'user-agent': 'curl/8.0', 'accept-encoding': 'gzip' }],
  ['YAML', pods, { accept: 'application/yaml' }],
  ['a table', pods, { accept: table('json', 'v1') }],
  ['an older table', pods, { accept: table('json', 'v1beta1') }],
  ['an indented table with whole objects', `${pods}?includeObject=Object&pretty=1`, { accept: table('json', 'v1') }],
  ['a table in YAML', pods, { accept: table('yaml', 'v1') }],
  ['metadata', pods, { accept: metadata('json', 'v1') }],
  ['metadata in YAML', pods, { accept: metadata('yaml', 'v1') }],
  ['metadata in protobuf', pods, { accept: metadata(protobuf, 'v1') }],
  ['older metadata in protobuf', pods, { accept: metadata(protobuf, 'v1beta1') }],
  ['protobuf', pods, { accept: `application/${protobuf}` }],
  ['CBOR', pods, { accept: 'application/cbor' }],
  ['indented JSON by label', `${pods}?labelSelector=app!%3Dapp-1&pretty=1`, {}],
  ['YAML by field', `${pods}?fieldSelector=spec.nodeName!%3Dnode-1`, { accept: 'application/yaml' }],
  ['custom objects', widgets, {}],
  ['custom objects in YAML', widgets, { accept: 'application/yaml' }],
  ['custom objects of another version', newerWidgets, {}],
  ['indented custom objects of another version', `${newerWidgets}?pretty=1`, {}],
  ['custom objects of another version in YAML', newerWidgets, { accept: 'application/yaml' }],
  ['custom objects of another version in CBOR', newerWidgets, { accept: 'application/cbor' }],
  ['a table of custom objects', newerWidgets, { accept: table('json', 'v1') }],
  ['metadata of custom objects in protobuf', newerWidgets, { accept: metadata(protobuf, 'v1') }],
];

describe(`lists of ${count} pods`, () => {
  let server;
  let client;

  before(async () => {
    server = await MeasuredServer.start({ pods: count, bytes });
    client = server.client;
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const versions = [{ schema }, { name: 'v2', schema }];
    const widget = definition({ group: 'hostile.example.com', plural: 'widgets', kind: 'Widget', versions });
    await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', JSON.stringify(widget));
    // The first reads compute values that objects keep, which are not part of a list's cost.
    const selected = [`${pods}?labelSelector=app`, `${pods}?fieldSelector=spec.nodeName%3Da`];
    for (const path of [pods, widgets, newerWidgets, ...selected]) await eventually(path);
  });
  after(() => server.stop());

  async function eventually(path) {
    for (;;) {
      if ((await read(path, {}, 'http/1.1')).status === 200) return;
      await pause(50);
    }
  }

  /** Reads to the end and discards the data. On a busy machine, 400 MB take more than a request's time. */
  async function read(path, headers, protocol) {
    const began = performance.now();
    const isLate = () => performance.now() - began >= REQUEST_LIMIT_MS;
    try {
      const answer = await readWhole(path, headers, protocol);
      // A request whose time is over before its answer begins gets a Status.
      return answer.status === 504 && isLate() ? { status: 200, size: 0, cut: true } : answer;
    } catch (error) {
      if (!isLate() || !RESETS.includes(error.code)) throw error;
      assert.ok(server.alive);
      return { status: 200, size: 0, cut: true };
    }
  }

  async function readWhole(path, headers, protocol) {
    let size = 0;
    if (protocol === 'http/1.1') {
      const { request, answer } = client.open('GET', path, headers);
      request.end();
      const response = await answer;
      for await (const chunk of response) size += chunk.length;
      return { status: response.statusCode, size };
    }
    const { session, open } = client.session();
    const stream = open({ ':path': path, ...headers });
    const head = await new Promise((resolve) => stream.once('response', resolve));
    for await (const chunk of stream) size += chunk.length;
    session.destroy();
    return { status: head[':status'], size };
  }

  for (const [index, [name, path, headers]] of forms.entries()) {
    it(`read ${name}`, (test) =>
      server.bounded(test, async () => {
        const { status, size, cut = false } = await read(path, headers, index % 2 === 0 ? 'h2' : 'http/1.1');
        assert.equal(status, 200);
        test.diagnostic(cut ? 'cut after a minute' : `${(size / MEGABYTE).toFixed(1)} MB`);
      }));
  }

  it('read many forms at once, over separate connections', (test) =>
    server.bounded(test, async () => {
      // YAML of all objects exceeds the request timeout on a busy machine.
      const quick = forms.filter(([name]) => !name.includes('YAML'));
      const answers = await Promise.all(quick.map(([, path, headers]) => read(path, headers, 'h2')));
      assert.ok(answers.every(({ status }) => status === 200));
    }));

  for (const protocol of ['h2', 'http/1.1']) {
    it(`request 500 lists over ${protocol}, read none, and leave no memory behind`, async (test) => {
      const ask = async () => {
        const opened = protocol === 'h2' ? unreadStreams() : unreadConnections();
        await pause(UNREAD_MS);
        return opened;
      };
      const left = [];
      await server.settle();
      let idle = server.memory();
      // The process first grows to what so many clients need. Memory that later rounds add is a leak.
      for (let round = 0; round < 3; round++) {
        const leave = await server.bounded(test, ask);
        leave();
        await pause(500);
        await server.settle();
        left.push(server.memory() - idle);
        idle = server.memory();
      }
      test.diagnostic(`${left.map((bytes) => Math.round(bytes / MEGABYTE)).join(', then ')} MB left behind`);
      assert.ok(left[2] < 40 * MEGABYTE, 'the third round leaves memory behind');
    });
  }

  const formOf = (index) => forms[index % forms.length];

  /** A hundred per connection, with unchanged windows. */
  function unreadStreams() {
    const sessions = Array.from({ length: 5 }, () => client.session());
    for (const { open } of sessions) {
      for (let index = 0; index < 100; index++) {
        const [, path, headers] = formOf(index);
        open({ ':path': path, ...headers }).pause();
      }
    }
    return () => sessions.forEach(({ session }) => session.destroy());
  }

  function unreadConnections() {
    const requests = Array.from({ length: 500 }, (_, index) => {
      const [, path, headers] = formOf(index);
      const { request, answer } = client.open('GET', path, headers);
      request.end();
      answer.then(
        (response) => response.pause(),
        () => undefined,
      );
      return request;
    });
    return () => requests.forEach((request) => request.destroy());
  }

  it('pages and whole lists have the same items, in every form of JSON', async () => {
    const some = `${pods}?labelSelector=app%3Dapp-1`;
    for (const [path, headers, list] of [
      [`${some}&`, {}, 'items'],
      [`${some}&pretty=true&`, {}, 'items'],
      [`${some}&`, { accept: table('json', 'v1') }, 'rows'],
      [`${some}&`, { accept: metadata('json', 'v1') }, 'items'],
      [`${newerWidgets}?`, {}, 'items'],
    ]) {
      const whole = await client.send('GET', path, undefined, headers);
      assert.equal(whole.status, 200);
      const paged = [];
      for (let token = ''; ; ) {
        const page = await client.send('GET', `${path}limit=500&continue=${token}`, undefined, headers);
        paged.push(...page.json[list]);
        token = page.json.metadata.continue ?? '';
        if (token === '') break;
      }
      assert.equal(paged.length, count / 10);
      assert.ok(JSON.stringify(paged) === JSON.stringify(whole.json[list]), path);
    }
  });
});
