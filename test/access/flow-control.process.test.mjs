import assert from 'node:assert/strict';
import { request } from 'node:https';
import { describe, it } from 'node:test';
import { disposing } from './disposing.mjs';
import { Cluster } from './world.mjs';

const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const FLOW_CONTROL = '/apis/flowcontrol.apiserver.k8s.io/v1';
/** Generous, for machines that are busy. */
const LIMIT_MS = 120_000;

const uidsOf = ({ headers }) => [
  headers['x-kubernetes-pf-flowschema-uid'],
  headers['x-kubernetes-pf-prioritylevel-uid'],
];

async function metric(cluster, name, level) {
  const { body } = await cluster.send('GET', '/metrics');
  return Number(
    new RegExp(`^apiserver_flowcontrol_${name}\\{[^}]*priority_level="${level}"[^}]*\\} (\\S+)$`, 'm').exec(body)?.[1],
  );
}

/** Asks until the answer has the status. */
async function until(status, ask) {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    const answer = await ask();
    if (answer.status === status || Date.now() > end) return answer;
  }
}

/** A request that the server does not answer until the result is disposed of. */
function hold(cluster, method, path) {
  const { server } = cluster;
  const { certificateAuthority: ca, token } = server.clientConfig;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = request(`${server.url}${path}`, { method, ca, headers });
  sent.on('error', () => undefined);
  sent.end(method === 'GET' ? undefined : '{}');
  return { [Symbol.asyncDispose]: async () => void sent.destroy() };
}

describe('priority and fairness', () => {
  it('names the objects that decide, which the server has created and described', () =>
    disposing(async (use) => {
      const cluster = await use(Cluster.start());
      const uid = async (path) => (await cluster.send('GET', `${FLOW_CONTROL}/${path}`)).body.metadata.uid;
      const exempt = [await uid('flowschemas/exempt'), await uid('prioritylevelconfigurations/exempt')];
      const others = [await uid('flowschemas/global-default'), await uid('prioritylevelconfigurations/global-default')];
      assert.deepEqual(uidsOf(await cluster.send('GET', MAPS)), exempt);
      const refused = await cluster.send('GET', MAPS, undefined, { as: 'jane' });
      assert.deepEqual([refused.status, ...uidsOf(refused)], [403, ...others]);
      const { body } = await cluster.send('GET', `${FLOW_CONTROL}/flowschemas/probes`);
      assert.equal(body.status.conditions[0].reason, 'Found');
    }));

  it('obeys a schema and a level of users as soon as they are stored', () =>
    disposing(async (use) => {
      const cluster = await use(Cluster.start());
      const level = await cluster.create(`${FLOW_CONTROL}/prioritylevelconfigurations`, {
        metadata: { name: 'own' },
        spec: { type: 'Limited', limited: { nominalConcurrencyShares: 10, limitResponse: { type: 'Reject' } } },
      });
      const resourceRules = [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'], namespaces: ['default'] }];
      const schema = await cluster.create(`${FLOW_CONTROL}/flowschemas`, {
        metadata: { name: 'own' },
        spec: {
          priorityLevelConfiguration: { name: 'own' },
          matchingPrecedence: 50,
          rules: [{ subjects: [{ kind: 'User', user: { name: 'jane' } }], resourceRules }],
        },
      });
      const uids = [schema.metadata.uid, level.metadata.uid];
      const asJane = (path) => cluster.send('GET', path, undefined, { as: 'jane' });
      assert.deepEqual(uidsOf(await asJane(MAPS)), uids);
      assert.notDeepEqual(uidsOf(await asJane(SECRETS)), uids);
      assert.equal(await metric(cluster, 'nominal_limit_seats', 'own'), Math.ceil((600 * 10) / 255));
      assert.ok((await metric(cluster, 'dispatched_requests_total', 'own')) >= 1);
    }));

  it('shares the sum of both limits', () =>
    disposing(async (use) => {
      const cluster = await use(Cluster.start({ maxRequestsInflight: 30, maxMutatingRequestsInflight: 19 }));
      assert.equal(await metric(cluster, 'nominal_limit_seats', 'workload-low'), (49 * 100) / 245);
    }));

  it('shows its state to those who may see it', () =>
    disposing(async (use) => {
      const cluster = await use(Cluster.start());
      const path = '/debug/api_priority_and_fairness/dump_priority_levels';
      const { status, headers, body } = await cluster.send('GET', path);
      assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
      assert.match(body, /^PriorityLevelName, +ActiveQueues, .*\ncatch-all, +0, +true, +false, /);
      assert.equal((await cluster.send('GET', path, undefined, { as: 'jane' })).status, 403);
    }));
});

describe('--enable-priority-and-fairness=false', () => {
  it('limits the requests at a time instead, those that read and those that write apart', () =>
    disposing(async (use) => {
      const limits = { maxRequestsInflight: 1, maxMutatingRequestsInflight: 1 };
      const cluster = await use(Cluster.start({ ...limits, enablePriorityAndFairness: false, faultInjection: true }));
      const rule = { match: { resource: 'secrets' }, action: { type: 'delay', milliseconds: 600_000 } };
      await cluster.send('POST', '/debug/faults', rule);
      const asJane = (method) => () => cluster.send(method, MAPS, method === 'GET' ? undefined : {}, { as: 'jane' });
      assert.equal((await asJane('GET')()).status, 403);

      await use(hold(cluster, 'GET', SECRETS));
      const refused = await until(429, asJane('GET'));
      assert.equal(refused.body, 'Too many requests, please try again later.\n');
      assert.equal(refused.headers['retry-after'], '1');
      assert.equal((await asJane('POST')()).status, 403);
      assert.equal((await cluster.send('GET', MAPS)).status, 200, 'administrators always get an answer');

      await use(hold(cluster, 'POST', SECRETS));
      assert.equal((await until(429, asJane('POST'))).status, 429);
    }));

  it('names no objects, and still keeps them', () =>
    disposing(async (use) => {
      const cluster = await use(Cluster.start({ enablePriorityAndFairness: false }));
      const answer = await cluster.send('GET', `${FLOW_CONTROL}/flowschemas/probes`);
      assert.deepEqual([answer.status, ...uidsOf(answer)], [200, undefined, undefined]);
      assert.equal(answer.body.status.conditions, undefined);
      const { status } = await cluster.send('GET', '/debug/api_priority_and_fairness/dump_queues');
      assert.equal(status, 404);
    }));
});
