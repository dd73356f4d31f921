/** Objects that are encrypted in the store, over HTTP. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '@binnacle/client/testing';
import { ServedStore, stores } from '../history/stores.mjs';
import { encryptionConfiguration, identity, key } from './configuration.mjs';

const SECRETS = '/api/v1/namespaces/default/secrets';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const limit = { timeout: 600_000 };
const PATIENT = { timeout: 600_000 };
const aescbc = (...names) => ({ aescbc: { keys: names.map((name) => key(name, name.charCodeAt(0))) } });
const aesgcm = (...names) => ({ aesgcm: { keys: names.map((name) => key(name, name.charCodeAt(0))) } });
const secretbox = (...names) => ({ secretbox: { keys: names.map((name) => key(name, name.charCodeAt(0))) } });

/** Reads what the test of wildcards has written. */
const rest = { '*.*': [secretbox('rest'), aesgcm('core'), identity] };

function testStore(store) {
  let served;
  let folder;
  let file;

  const configure = (rules) => writeFile(file, encryptionConfiguration(rules));
  const serve = async (rules, options = {}) => {
    await served.end();
    await configure(rules);
    await served.start({ encryptionProviderConfig: file, ...options });
  };
  const succeed = async (method, path, body) => {
    const answer = await served.client.send(method, path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const stored = async (path) => {
    const { items } = await served.kv.range({ prefix: `/registry/${path}`, exact: true });
    return Buffer.from(items[0].value).toString('latin1');
  };
  const update = async (path) => succeed('PUT', path, await succeed('GET', path));

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'encryption-'));
    file = join(folder, 'encryption.json');
    served = await ServedStore.open(store);
    await served.start({});
    await succeed('POST', SECRETS, { metadata: { name: 'plain' }, stringData: { a: 'former' } });
  }, limit);
  after(async () => {
    await served?.close();
    await rm(folder, { recursive: true });
  });

  it('a plain store is read, and encrypted by updates, also those that change nothing', limit, async () => {
    await serve({ secrets: [aescbc('one'), identity] });
    assert.doesNotMatch(await stored('secrets/default/plain'), /^k8s:enc:/);
    assert.equal((await succeed('GET', `${SECRETS}/plain`)).data.a, btoa('former'));
    const { metadata } = await update(`${SECRETS}/plain`);
    assert.match(await stored('secrets/default/plain'), /^k8s:enc:aescbc:v1:one:/);
    const again = await update(`${SECRETS}/plain`);
    assert.equal(again.metadata.resourceVersion, metadata.resourceVersion, 'it is up to date');
    await succeed('POST', CONFIG_MAPS, { metadata: { name: 'other' } });
    assert.doesNotMatch(await stored('configmaps/default/other'), /^k8s:enc:/);
  });

  it('a rotation of keys: read with the old one, write with the new one, remove the old one', limit, async () => {
    await serve({ secrets: [aescbc('one', 'two')] });
    await serve({ secrets: [aescbc('two', 'one')] });
    assert.match(await stored('secrets/default/plain'), /^k8s:enc:aescbc:v1:one:/);
    await update(`${SECRETS}/plain`);
    assert.match(await stored('secrets/default/plain'), /^k8s:enc:aescbc:v1:two:/);
    await serve({ secrets: [aescbc('two')] });
    assert.equal((await succeed('GET', `${SECRETS}/plain`)).data.a, btoa('former'));
  });

  it('a history of several providers is listed and watched', limit, async () => {
    await serve({ secrets: [aescbc('two')] });
    const { metadata: first } = await succeed('GET', SECRETS);
    await succeed('POST', SECRETS, { metadata: { name: 'moved' }, stringData: { a: '1' } });
    await serve({ secrets: [secretbox('three'), aescbc('two')] });
    const { metadata } = await succeed('GET', `${SECRETS}/moved`);
    await update(`${SECRETS}/moved`);
    assert.match(await stored('secrets/default/moved'), /^k8s:enc:secretbox:v1:three:/);
    await succeed('DELETE', `${SECRETS}/moved`);
    const old = await succeed(
      'GET',
      `${SECRETS}?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`,
    );
    assert.ok(old.items.some(({ metadata: { name } }) => name === 'moved'));
    const stop = new AbortController();
    const path = `${SECRETS}?watch=1&resourceVersion=${first.resourceVersion}`;
    const { events, until, ended } = await served.client.watch(path, stop.signal);
    const seen = () => events.filter(({ object }) => object.metadata.name === 'moved');
    await until(() => seen().length === 3);
    assert.deepEqual(
      seen().map(({ type, object }) => [type, object.data.a]),
      ['ADDED', 'MODIFIED', 'DELETED'].map((type) => [type, btoa('1')]),
    );
    stop.abort();
    await ended;
  });

  it('wildcards cover built-in and custom resources', limit, async () => {
    await serve({
      events: [identity],
      '*.': [aesgcm('core'), aescbc('two'), identity],
      '*.*': [secretbox('rest'), identity],
    });
    await succeed('POST', DEFINITIONS, {
      metadata: { name: 'pandas.bears.example' },
      spec: {
        group: 'bears.example',
        scope: 'Namespaced',
        names: { plural: 'pandas', kind: 'Panda' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    });
    const pandas = '/apis/bears.example/v1/namespaces/default/pandas';
    const panda = { apiVersion: 'bears.example/v1', kind: 'Panda', metadata: { name: 'a' } };
    const isEstablished = ({ type, status }) => type === 'Established' && status === 'True';
    await eventually(async () => {
      const { status } = await succeed('GET', `${DEFINITIONS}/pandas.bears.example`);
      assert.ok(status.conditions.some(isEstablished));
    }, PATIENT);
    await succeed('POST', pandas, panda);
    await succeed('POST', CONFIG_MAPS, { metadata: { name: 'wild' } });
    const event = {
      metadata: { name: 'e' },
      involvedObject: { namespace: 'default' },
      reason: 'a',
      type: 'Normal',
      firstTimestamp: null,
    };
    await succeed('POST', '/api/v1/namespaces/default/events', event);
    assert.match(await stored('bears.example/pandas/default/a'), /^k8s:enc:secretbox:v1:rest:/);
    assert.match(
      await stored('apiextensions.k8s.io/customresourcedefinitions/pandas.bears.example'),
      /^k8s:enc:secretbox:v1:rest:/,
    );
    assert.match(await stored('configmaps/default/wild'), /^k8s:enc:aesgcm:v1:core:/);
    assert.doesNotMatch(await stored('events/default/e'), /^k8s:enc:/);
    const spec = { type: 'NodePort', ports: [{ port: 80 }] };
    await succeed('POST', '/api/v1/namespaces/default/services', { metadata: { name: 'ports' }, spec });
    assert.doesNotMatch(await stored('ranges/servicenodeports'), /^k8s:enc:/, 'it has no API');
    await succeed('GET', `${pandas}/a`);
    await succeed('DELETE', `${DEFINITIONS}/pandas.bears.example`);
    await succeed('DELETE', `${CONFIG_MAPS}/wild`);
  });

  it('a value without its key is a 500, and a list names it', limit, async () => {
    await serve({ secrets: [aescbc('new')], ...rest });
    const { status, body } = await served.client.send('GET', `${SECRETS}/plain`);
    const failure = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'InternalError',
      code: 500,
    };
    const said = (message) => ({
      ...failure,
      message: `Internal error occurred: ${message}`,
      details: { causes: [{ message }] },
    });
    assert.deepEqual([status, body], [500, said('no matching key was found for the provided AES transformer')]);
    const list = await served.client.send('GET', SECRETS);
    assert.equal(list.status, 500);
    assert.match(
      list.body.message,
      /^Internal error occurred: unable to transform key "\/registry\/secrets\/default\/plain": no matching/,
    );
    for (const [method, path, sent] of [
      ['DELETE', `${SECRETS}/plain`],
      ['PUT', `${SECRETS}/plain`, { metadata: { name: 'plain' } }],
    ]) {
      assert.equal((await served.client.send(method, path, sent)).status, 500);
    }
    await succeed('POST', SECRETS, { metadata: { name: 'readable' } });
    await succeed('GET', `${SECRETS}/readable`);
    await succeed('DELETE', `${SECRETS}/readable`);
  });

  it('without a configuration, encrypted values are refused', limit, async () => {
    await served.end();
    await assert.rejects(served.start({}), /identity transformer tried to read encrypted data/);
  });

  it('a changed file is used, and a wrong one is not', limit, async () => {
    const old = [aesgcm('core'), aescbc('two')];
    await serve({ secrets: old, ...rest }, { encryptionProviderConfigAutomaticReload: true });
    await succeed('GET', `${SECRETS}/plain`);
    await writeFile(file, 'wrong');
    const metric = async (name) => {
      const text = await served.client.text('/metrics');
      return text.split('\n').find((line) => line.startsWith(`apiserver_encryption_config_controller_${name}`));
    };
    await eventually(
      async () => assert.match((await metric('automatic_reloads_total')) ?? '', /status="failure"/),
      PATIENT,
    );
    await update(`${SECRETS}/plain`);
    await configure({ secrets: [secretbox('three'), ...old], ...rest });
    await eventually(async () => {
      await update(`${SECRETS}/plain`);
      assert.match(await stored('secrets/default/plain'), /^k8s:enc:secretbox:v1:three:/);
    }, PATIENT);
    assert.match(await metric('last_config_info'), /hash="sha256:[0-9a-f]{64}"\} 1$/);
  });
}

for (const store of stores) describe(`encryption in ${store.name}`, () => testStore(store));
