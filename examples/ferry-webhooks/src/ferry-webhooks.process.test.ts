import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'node:test';
import { connect, DynamicClient, isConflict, isForbidden } from '@binnacle/client';
import { CustomResourceDefinition } from '@binnacle/client/kinds/apiextensions/v1';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@binnacle/client/kinds/admissionregistration/v1';
import { eventually } from '@binnacle/client/testing';
import { serveWebhooks, type WebhookServer } from '@binnacle/client/webhook';
import { type TestServer, testServer } from 'binnacle/testing';
import { ferryWebhooks } from './ferry-webhooks.js';
import { FerryV1, FerryV2 } from './generated/ferries.js';

const manifests = fileURLToPath(new URL('../manifests', import.meta.url));

const ferryV1 = (name: string, spec: FerryV1['spec']): FerryV1 => ({
  apiVersion: 'example.com/v1',
  kind: 'Ferry',
  metadata: { name },
  spec,
});
const ferryV2 = (name: string, spec: FerryV2['spec']): FerryV2 => ({
  apiVersion: 'example.com/v2',
  kind: 'Ferry',
  metadata: { name },
  spec,
});

describe('the webhooks of ferries', { timeout: 600_000 }, () => {
  let cluster: TestServer;
  let webhooks: WebhookServer;
  before(async () => {
    cluster = await testServer({ controllers: '' });
    // One call: the configurations point at this process, which serves them with the certificate that they trust.
    const installed = await cluster.installWebhooks({ paths: [manifests] });
    webhooks = await serveWebhooks({ ...installed, webhooks: ferryWebhooks });
  });
  after(async () => {
    await webhooks.close();
    await cluster.stop();
  });

  const ferries = () => cluster.client.resource(FerryV2).namespace('default');
  const oldFerries = () => cluster.client.resource(FerryV1).namespace('default');

  it('sets the default of passengers', async () => {
    const { spec } = await ferries().create(ferryV2('princess', { capacity: { cars: 50 } }));
    assert.deepEqual(spec, { capacity: { cars: 50, passengers: 200 } });
  });

  it('refuses a ferry with too few drivers, also in an update', async () => {
    await assert.rejects(ferries().create(ferryV2('empty', { capacity: { cars: 5, passengers: 4 } })), (error) => {
      assert.ok(isForbidden(error));
      const expected = 'admission webhook "validate.ferries.example.com" denied the request: ';
      assert.equal(error.message, `${expected}4 passengers cannot drive 5 cars`);
      return true;
    });
    await ferries().create(ferryV2('queen', { capacity: { cars: 5 } }));
    const body = { spec: { capacity: { passengers: 1 } } };
    await assert.rejects(ferries().patch('queen', { type: 'merge', body }), isForbidden);
  });

  it('warns of a large ferry', async () => {
    const warnings: string[] = [];
    await using transport = connect(cluster.clientConfig, { onWarning: ({ text }) => warnings.push(text) });
    await new DynamicClient(transport)
      .resource(FerryV2)
      .namespace('default')
      .create(ferryV2('giant', { capacity: { cars: 500 } }));
    assert.deepEqual(warnings, ['few harbours can load more than 200 cars']);
  });

  it('keeps a ferry in service from being deleted', async () => {
    await ferries().create(ferryV2('busy', { capacity: { cars: 5 }, inService: true }));
    await assert.rejects(ferries().delete('busy'), isConflict);
    await ferries().patch('busy', { type: 'merge', body: { spec: { inService: false } } });
    await ferries().delete('busy');
  });

  it('serves both versions, and admits each as v2', async () => {
    const { spec } = await oldFerries().create(ferryV1('old', { cars: 10 }));
    assert.deepEqual(spec, { cars: 10, passengers: 40 });
    assert.deepEqual((await ferries().get('old')).spec, { capacity: { cars: 10, passengers: 40 } });
  });
});

describe('a server of webhooks that sets its own bundle', { timeout: 600_000 }, () => {
  it('is trusted without further steps, and again after its objects are applied', async () => {
    await using cluster = await testServer({ controllers: '' });
    const { host, port } = await cluster.installWebhooks({ paths: [manifests] });
    const { client } = cluster;
    await using server = await serveWebhooks({
      host,
      port,
      certificates: { hosts: [host] },
      caBundles: {
        client,
        mutatingWebhookConfigurations: ['ferries', 'later'],
        validatingWebhookConfigurations: ['ferries'],
        customResourceDefinitions: ['ferries.example.com'],
      },
      webhooks: ferryWebhooks,
    });
    const expected = Buffer.from(server.caBundle ?? '').toString('base64');
    const definition = await client.resource(CustomResourceDefinition).get('ferries.example.com');
    assert.equal(definition.spec.conversion?.webhook?.clientConfig?.caBundle, expected);

    const ferries = client.resource(FerryV1).namespace('default');
    assert.equal((await ferries.create(ferryV1('a', { cars: 1 }))).spec.passengers, 4);

    // Another client applies the configuration without a bundle, and creates one that was missing.
    const configurations = client.resource(MutatingWebhookConfiguration);
    const validating = client.resource(ValidatingWebhookConfiguration);
    const { webhooks = [] } = await configurations.get('ferries');
    const path = '/webhooks/0/clientConfig/caBundle';
    await validating.patch('ferries', { type: 'json', body: [{ op: 'remove', path }] });
    await configurations.create({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'later' },
      webhooks: webhooks.map(({ clientConfig: { url = '' }, ...rest }) => ({ ...rest, clientConfig: { url } })),
    });
    await eventually(async () => {
      for (const { webhooks: [first] = [] } of [await validating.get('ferries'), await configurations.get('later')]) {
        assert.equal(first?.clientConfig.caBundle, expected);
      }
    });
    assert.equal((await ferries.create(ferryV1('b', { cars: 1 }))).spec.passengers, 4);
  });
});
