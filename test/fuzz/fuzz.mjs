import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../model/random.mjs';
import { FuzzClient } from './client.mjs';
import { namespaces, requestOf } from './grammar/requests.mjs';
import { forbidden, grants, ordinaryUser } from './grammar/rights.mjs';
import { FuzzedServer } from './server.mjs';

const AT_ONCE = 8;
/** How long a worker waits for an answer before its next request; watches and reads of future revisions continue. */
const PATIENCE_MS = 50;
const AWAITED_ASIDE = 100;
/** The number of requests between two clean-ups; memory is measured after each. */
const ROUND = 2500;
const FINDINGS_KEPT = 20;
/** Requests that ended within this time before a report of silence may have caused it. */
const SUSPECT_MS = 500;
const RECENT_KEPT = 500;

/**
 * Upstream calls it an internal error that a custom resource lacks the field of its replicas, and that no address is left
 * for a service, as when the ServiceCIDRs are deleted.
 */
const AS_UPSTREAM = /the spec replicas field .* does not exist|failed to allocate a serviceIP: range is full/;

/** Pods may be bound to nodes that no kubelet serves, and nothing runs behind a service. */
const UNREACHABLE =
  /no kubelet serves node|no endpoints available for service|no service port \d+ found|error trying to reach service/;

/**
 * Whether an answer shows a fault of the server. Like upstream, the server answers some invalid requests with a 500
 * without a reason; an unforeseen failure is an `InternalError`. A read of a future revision ends with a 504, and so
 * does a request with a short timeout on a busy machine, or its answer is broken off.
 */
export function isFailure({ status, text }, path = '') {
  const isShort = /[?&]timeout=/.test(path);
  if (status === 0) return !(isShort && text.includes('ERR_HTTP2_STREAM_ERROR'));
  if (status === 500 && text.includes('InternalError')) return !AS_UPSTREAM.test(text);
  if (status === 503) return !UNREACHABLE.test(text);
  if (status === 504) return !text.includes('Too large resource version') && !isShort;
  return status > 500;
}

/**
 * Plays `count` requests made from `seed` against its own server. Resolves `{ findings, statuses, heaps }`. Each
 * finding names a failure, a silence or an end of the server, with the requests that may have caused it; `heaps` are
 * bytes after each clean-up.
 */
export async function fuzz({ count, seed, silenceMs = 200, only }) {
  const findings = [];
  const statuses = {};
  const heaps = [];
  const underWay = new Map();
  const recent = [];
  const report = (finding) => {
    if (findings.length < FINDINGS_KEPT) findings.push(finding);
  };
  const server = new FuzzedServer();
  const config = await server.start({
    silenceMs,
    report: ({ what, text, at }) => {
      const suspects = [...underWay.values(), ...recent.filter(({ ended }) => ended > at - SUSPECT_MS)];
      report({ what, text, requests: suspects.map(({ request, index }) => shown(request, index)) });
    },
  });
  const client = new FuzzClient(config);
  for (const name of namespaces.slice(1)) await create(client, '/api/v1/namespaces', { metadata: { name } });
  for (const name of namespaces) {
    await create(client, `/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } });
  }
  await grantOrdinary(client);
  await assertGranted(client);
  const play = async (index) => {
    const random = new Random(seed, `request ${index}`);
    const request = requestOf(random);
    const entry = { index, request, ended: 0 };
    underWay.set(index, entry);
    const answer = await client.send(request, random.chance(0.5) ? 'h2' : 'http/1.1');
    underWay.delete(index);
    entry.ended = Date.now();
    recent.push(entry);
    if (recent.length > RECENT_KEPT) recent.shift();
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    if (isFailure(answer, request.path))
      report({ what: `status ${answer.status}`, text: answer.text, requests: [shown(request, index)] });
  };
  try {
    for (let first = 0; first < count && server.ended === undefined; first += ROUND) {
      const last = Math.min(first + ROUND, count);
      let next = first;
      const aside = new Set();
      const worker = async () => {
        while (next < last && server.ended === undefined) {
          const played = play(next++).finally(() => aside.delete(played));
          aside.add(played);
          await (aside.size > AWAITED_ASIDE ? played : Promise.race([played, pause(PATIENCE_MS)]));
        }
      };
      await Promise.all(only === undefined ? Array.from({ length: AT_ONCE }, worker) : only.map(play));
      await Promise.all(aside);
      if (only !== undefined || server.ended !== undefined) break;
      for (const right of await gainedRights(client)) {
        report({
          what: 'a right gained',
          text: right,
          requests: [`between #${first} and #${last}, by ${ordinaryUser}`],
        });
      }
      await cleanUp(client);
      await grantOrdinary(client);
      heaps.push(await server.measure());
    }
    if (server.ended !== undefined) {
      report({
        what: 'end',
        text: server.ended,
        requests: [...underWay.values()].map((one) => shown(one.request, one.index)),
      });
    }
  } finally {
    client.close();
    await server.stop();
  }
  return { findings, statuses, heaps };
}

async function create(client, path, object) {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  return client.send({ method: 'POST', path, headers, body: Buffer.from(JSON.stringify(object)) }, 'http/1.1');
}

/** Restores the ordinary user's rights at the start of each round, because other requests may have removed them. */
async function grantOrdinary(client) {
  const metadata = { name: 'fuzz-ordinary' };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name };
  const subjects = [{ apiGroup: roleRef.apiGroup, kind: 'User', name: ordinaryUser }];
  await create(client, '/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata, rules: grants });
  await create(client, '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { metadata, roleRef, subjects });
}

/** Without its grants, the ordinary user could gain nothing, and the check for that would mean nothing. */
async function assertGranted(client) {
  const [{ apiGroups, resources, verbs }] = grants;
  const granted = { group: apiGroups[0], resource: resources[0], verb: verbs[0] };
  for (let attempt = 0; attempt < 50; attempt++) {
    if (await isAllowed(client, granted)) return;
    await pause(20);
  }
  throw new Error('the ordinary user has not got its rights');
}

async function isAllowed(client, resourceAttributes) {
  const spec = { user: ordinaryUser, groups: ['system:authenticated'], resourceAttributes };
  const { status, text } = await create(client, '/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec });
  if (status !== 201) throw new Error(`a review of access is answered ${status}: ${text.slice(0, 300)}`);
  return text.includes('"allowed":true');
}

/** The rights that the ordinary user has and must not have. */
async function gainedRights(client) {
  const gained = [];
  for (const namespace of ['', ...namespaces]) {
    for (const attributes of forbidden) {
      if (await isAllowed(client, { ...attributes, namespace })) {
        gained.push(`${attributes.verb} ${attributes.resource} in '${namespace}'`);
      }
    }
  }
  return gained;
}

/** Deletes every object of the requests, so that memory that stays in use is a leak. */
async function cleanUp(client) {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const ask = (method, path) => client.send({ method, path, headers: { accept: 'application/json' } }, 'http/1.1');
  await ask('DELETE', definitions);
  for (const namespace of namespaces) {
    for (const path of [
      '/api/v1/namespaces/NS/pods',
      '/api/v1/namespaces/NS/configmaps',
      '/api/v1/namespaces/NS/secrets',
      '/api/v1/namespaces/NS/podtemplates',
      '/api/v1/namespaces/NS/events',
      '/apis/apps/v1/namespaces/NS/deployments',
      '/apis/apps/v1/namespaces/NS/controllerrevisions',
    ]) {
      await ask('DELETE', path.replace('NS', namespace));
    }
  }
}

function shown({ method, path, headers, body }, index) {
  const text = body === undefined ? '' : ` ${headers['content-type']} ${body.toString('latin1').slice(0, 600)}`;
  return `#${index} ${method} ${path} (${headers.accept})${text}`;
}
