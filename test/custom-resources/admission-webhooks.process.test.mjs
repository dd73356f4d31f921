import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { Cluster } from './cluster.mjs';
import { definition } from './definition.mjs';
import { converted, Webhook } from './webhook.mjs';

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
const base = (version) => `/apis/example.com/${version}/namespaces/default/things`;
const address = { apiVersion: 'example.com/v2', kind: 'Thing', metadata: { name: 'a' }, address: 'here:1' };
const patchOf = (operations) => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

describe('webhooks that ask for another version of a custom resource', { timeout: 600_000 }, () => {
  let cluster;
  let webhook;
  /** Every admission request. */
  let asked;
  before(async () => {
    cluster = await Cluster.start();
    webhook = await Webhook.start();
  });
  after(async () => {
    await cluster.stop();
    await webhook.stop();
  });
  afterEach(async () => {
    webhook.answer = converted;
    await cluster.send(200, 'DELETE', `${CONFIGURATIONS}/c`);
    await cluster.undefineAll();
  });

  /** Converts, and answers admission reviews with `response`. */
  async function install(version, conversion, response) {
    asked = [];
    webhook.answer = (review) => {
      if (review.kind !== 'AdmissionReview') return converted(review);
      asked.push(review.request);
      const { apiVersion, kind, request } = review;
      return { apiVersion, kind, response: { uid: request.uid, ...response } };
    };
    const versions = [{ name: 'v1' }, { name: 'v2', storage: false }, { name: 'v0', storage: false, served: false }];
    await cluster.define(definition({ versions, spec: { conversion } }));
    const { url, certificate } = webhook;
    await cluster.send(201, 'POST', CONFIGURATIONS, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'c' },
      webhooks: [
        {
          name: 'w.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url, caBundle: Buffer.from(certificate).toString('base64') },
          rules: [
            { operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: [version], resources: ['things'] },
          ],
        },
      ],
    });
  }

  it('get it converted by the conversion webhook, and their changes are converted back', async () => {
    const patch = patchOf([{ op: 'replace', path: '/port', value: '2' }]);
    await install('v1', webhook.conversion(), patch);
    const { json } = await cluster.send(201, 'POST', base('v2'), address);
    const [{ kind, requestKind, object }] = asked;
    assert.deepEqual([kind.version, requestKind.version], ['v1', 'v2']);
    assert.deepEqual([object.apiVersion, object.host, object.port], ['example.com/v1', 'here', '1']);
    assert.deepEqual([json.apiVersion, json.address], ['example.com/v2', 'here:2']);
    assert.equal((await cluster.get(`${base('v1')}/a`)).port, '2');
  });

  for (const [name, conversion] of [
    ['with', () => webhook.conversion()],
    ['without', () => ({ strategy: 'None' })],
  ]) {
    it(`see also a version that is served no more, ${name} a conversion webhook`, async () => {
      await install('v0', conversion(), { allowed: false, status: { message: 'not v0' } });
      const { json } = await cluster.send(400, 'POST', base('v2'), address);
      assert.equal(json.message, 'admission webhook "w.example.com" denied the request: not v0');
      assert.equal(asked[0].object.apiVersion, 'example.com/v0');
    });
  }

  it('fail the request when the conversion fails', async () => {
    await install('v1', webhook.conversion(), { allowed: true });
    const { answer } = webhook;
    webhook.answer = (review, response) =>
      review.kind === 'AdmissionReview' ? answer(review) : void response.destroy();
    const { json } = await cluster.send(500, 'POST', base('v2'), address);
    assert.match(json.message, /conversion webhook for example\.com\/v2, Kind=Thing failed: /);
    assert.deepEqual(asked, []);
  });
});
