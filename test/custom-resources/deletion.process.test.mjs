import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { Cluster, eventually } from './cluster.mjs';
import { definition } from './definition.mjs';
import { Webhook } from './webhook.mjs';

const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const NAME = 'things.example.com';
const things = '/apis/example.com/v1/namespaces/default/things';
const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'late' } };

describe('the deletion of a definition', { timeout: 600_000 }, () => {
  let cluster;
  let webhook;
  /** Answers the review that waits. */
  let admit;
  before(async () => {
    cluster = await Cluster.start();
    webhook = await Webhook.start();
  });
  after(async () => {
    await cluster.stop();
    await webhook.stop();
  });
  afterEach(() => cluster.undefineAll());

  /** Begins a create, and settles when it waits for a webhook of this kind. Answers the promise of its answer. */
  async function beginCreate(kind) {
    admit = undefined;
    webhook.answer = ({ apiVersion, kind, request }, response) => {
      admit = () => response.end(JSON.stringify({ apiVersion, kind, response: { uid: request.uid, allowed: true } }));
    };
    const path = `${ADMISSION}/${kind.toLowerCase()}s`;
    const { url, certificate } = webhook;
    await cluster.send(201, 'POST', path, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name: 'hold' },
      webhooks: [
        {
          name: 'hold.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url, caBundle: Buffer.from(certificate).toString('base64') },
          rules: [{ operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['things'] }],
        },
      ],
    });
    const answer = cluster.client.send('POST', things, JSON.stringify(thing));
    await eventually(() => admit !== undefined, 'the webhook to be asked');
    await cluster.send(200, 'DELETE', `${path}/hold`);
    return { answer };
  }

  for (const kind of ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration']) {
    it(`does not wait for a create that a ${kind} holds, which is refused when it goes on`, async () => {
      await cluster.define(definition());
      const { answer } = await beginCreate(kind);
      await cluster.undefine(NAME);
      admit();
      const { status, json } = await answer;
      assert.deepEqual([status, json.reason], [403, 'Forbidden'], json.message);
      await cluster.define(definition());
      assert.deepEqual((await cluster.get(things)).items, []);
    });

    it(`refuses such a create of a ${kind} also when the definition is there again`, async () => {
      await cluster.define(definition());
      const { answer } = await beginCreate(kind);
      await cluster.undefine(NAME);
      await cluster.define(definition());
      admit();
      const { status, json } = await answer;
      assert.deepEqual([status, json.reason], [403, 'Forbidden'], json.message);
      assert.deepEqual((await cluster.get(things)).items, []);
    });
  }

  for (const [plural, group, kind] of [
    ['apiservices', 'apiregistration.k8s.io', 'APIService'],
    ['customresourcedefinitions', 'apiextensions.k8s.io', 'CustomResourceDefinition'],
  ]) {
    it(`leaves the built-in ${plural} alone, which have the keys that its objects would have`, async () => {
      await cluster.define(definition());
      const path = `/apis/${group}/v1/${plural}`;
      const names = async () => (await cluster.get(path)).items.map(({ metadata }) => metadata.name);
      const before = await names();
      const overlapping = definition({ plural, group, kind: `Custom${kind}`, spec: { scope: 'Cluster' } });
      overlapping.metadata.annotations = { 'api-approved.kubernetes.io': 'unapproved, for a test' };
      await cluster.define(overlapping);
      assert.equal((await cluster.get(path)).kind, `${kind}List`);
      await cluster.undefine(`${plural}.${group}`);
      assert.ok(before.length > 0);
      assert.deepEqual(await names(), before);
    });
  }
});
