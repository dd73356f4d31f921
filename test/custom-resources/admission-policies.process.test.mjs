import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { HostileClient } from '../hostile/client.mjs';
import { Cluster } from './cluster.mjs';
import { definition } from './definition.mjs';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const POLICIES = `${GROUP}/validatingadmissionpolicies`;
const BINDINGS = `${GROUP}/validatingadmissionpolicybindings`;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const THINGS = '/apis/example.com/v1/namespaces/default/things';
const apiVersion = 'admissionregistration.k8s.io/v1';

const configMap = (name, data = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
const secret = (name) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } });
const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'limit' }, keys: 1 };

describe('a server with admission policies', { timeout: 600_000 }, () => {
  let cluster;
  /** Another client, whose requests no policy concerns. */
  let other;
  before(async () => {
    cluster = await Cluster.start();
    other = new HostileClient(cluster.server);
  });
  after(() => cluster.stop());
  afterEach(async () => {
    await cluster.send(200, 'DELETE', POLICIES);
    await cluster.send(200, 'DELETE', BINDINGS);
    await cluster.send(200, 'DELETE', SECRETS);
    await cluster.undefineAll();
  });

  /** Installs a policy about ConfigMaps, and its binding. */
  async function install(name, expressions, { paramKind, paramRef } = {}) {
    const resourceRules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'] }];
    const validations = expressions.map((expression) => ({ expression }));
    await cluster.send(201, 'POST', POLICIES, {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: { matchConstraints: { resourceRules }, validations, paramKind },
    });
    await cluster.send(201, 'POST', BINDINGS, {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'], paramRef },
    });
  }

  async function workOfOthers(count, prefix) {
    for (let index = 0; index < count; index++) {
      const { status } = await other.send('POST', SECRETS, JSON.stringify(secret(`${prefix}-${index}`)));
      assert.equal(status, 201);
    }
    assert.equal((await other.send('GET', SECRETS)).status, 200);
  }

  it('answers other requests while policies spend their whole budget', async () => {
    const costly = 'object.data.all(a, object.data.all(b, a != "" || b != ""))';
    const expressions = Array.from({ length: 20 }, () => costly);
    await install('costly', expressions);
    const data = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key-${index}`, 'x']));
    let pending = 2;
    const refused = Array.from({ length: pending }, async (_, index) => {
      const { status, json } = await cluster.client.send(
        'POST',
        CONFIG_MAPS,
        JSON.stringify(configMap(`a-${index}`, data)),
      );
      pending--;
      return [status, json.message];
    });
    const { status } = await other.send('POST', SECRETS, JSON.stringify(secret('beside')));
    assert.equal(status, 201);
    assert.ok(pending > 0, 'this request needs a few turns of the loop, the others many');
    for (const [code, message] of await Promise.all(refused)) {
      assert.equal(code, 422);
      assert.match(message, /denied request: .*cost/);
    }
  });

  it('denies matched requests while the paramKind is not defined', async () => {
    const isAllowed = async (name) => {
      const { status, json } = await cluster.client.send('POST', CONFIG_MAPS, JSON.stringify(configMap(name)));
      if (status === 201) return true;
      assert.equal(status, 422, json.message);
      assert.match(
        json.message,
        /ValidatingAdmissionPolicy 'p'.* denied request: .*(failed to find resource referenced by paramKind: 'example\.com\/v1, Kind=Thing'|no params found)/,
      );
      return false;
    };
    await cluster.define(definition());
    await cluster.send(201, 'POST', THINGS, thing);
    const paramRef = { name: 'limit', namespace: 'default', parameterNotFoundAction: 'Deny' };
    await install('p', ['params.keys == 1'], { paramKind: { apiVersion: 'example.com/v1', kind: 'Thing' }, paramRef });
    assert.equal(await isAllowed('with-parameters'), true);

    const gone = cluster.undefine('things.example.com');
    const during = Array.from({ length: 20 }, (_, index) => isAllowed(`during-${index}`));
    await workOfOthers(20, 'during');
    await Promise.all([gone, ...during]);
    assert.equal(await isAllowed('without-parameters'), false);
    await workOfOthers(20, 'later');

    await cluster.define(definition());
    assert.equal(await isAllowed('without-object'), false);
    await cluster.send(201, 'POST', THINGS, thing);
    assert.equal(await isAllowed('with-parameters-again'), true);
  });
});
