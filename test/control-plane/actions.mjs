/** What a scenario does to the server. Each request that matters becomes a step: the code of the answer and, for errors, its text. */
import { setTimeout as sleep } from 'node:timers/promises';
import { apiVersionOf, isClusterScoped, pathOf } from './kinds.mjs';
import { Masker } from './masker.mjs';
import { poll } from './poll.mjs';

/** Times in objects have whole seconds. */
export const timestamp = () => new Date().toISOString().replace(/\.\d+/, '');

export class Actions {
  /** Text that is unique to this play, for names of cluster-scoped objects. */
  unique = `u${Math.floor(Math.random() * 89_999) + 10_000}a`;
  /** Names of nodes, which are masked. */
  nodes;
  /** Whether masked nodes are numbered. */
  namesNodes = false;
  /** A node for all pods without one. */
  pin;
  steps = [];
  mask = new Masker(this);
  /** Cluster-scoped objects to delete at the end: `[kind, name]`. */
  clusterScoped = [];
  #connection;

  /** `ownsNodes`: the scenario makes all nodes of the server. */
  constructor(name, { connection, nodes, ownsNodes = false }) {
    this.name = name;
    this.namespace = `${name.replace(/[^a-z0-9]+/g, '-')}-${this.unique}`;
    this.nodes = nodes;
    this.ownsNodes = ownsNodes;
    this.#connection = connection;
  }

  path(kind, name, subresource, namespace = this.namespace) {
    return pathOf(kind, { namespace, name, subresource });
  }

  async get(kind, name, namespace) {
    const { status, body } = await this.raw('GET', this.path(kind, name, undefined, namespace));
    return status === 200 ? body : undefined;
  }

  async list(kind, selector) {
    const query = selector ? `?labelSelector=${encodeURIComponent(selector)}` : '';
    return (await this.raw('GET', this.path(kind) + query)).body?.items ?? [];
  }

  /** A request without a step. */
  raw(method, path, body, type) {
    return this.#connection.send(method, path, body, type);
  }

  async create(...objects) {
    let created;
    for (const object of objects.flat()) {
      const { kind, metadata } = object;
      const body = { apiVersion: apiVersionOf(kind), ...object, metadata: { ...metadata } };
      if (kind === 'Pod' && this.pin && !body.spec.nodeName) body.spec = { ...body.spec, nodeName: this.pin };
      if (isClusterScoped(kind)) this.clusterScoped.push([kind, metadata.name]);
      const answer = await this.raw('POST', this.path(kind, undefined, undefined, metadata.namespace), body);
      created = this.#note(`create ${kind} ${metadata.name ?? metadata.generateName}`, answer);
      if (kind === 'PersistentVolume') await this.#volumeSeen(metadata.name);
    }
    return created;
  }

  async patch(kind, name, body, { sub, type = 'merge', what } = {}) {
    const send = () => this.raw('PATCH', this.path(kind, name, sub), body, type);
    const answer = await withoutConflict(send, 5, 200);
    return this.#note(what ?? `patch ${kind} ${name}${sub ? ` ${sub}` : ''}`, answer);
  }

  async put(kind, name, change, { sub } = {}) {
    const send = async () => {
      const { body } = await this.raw('GET', this.path(kind, name));
      change(body);
      return this.raw('PUT', this.path(kind, name, sub), body);
    };
    return this.#note(`update ${kind} ${name}${sub ? ` ${sub}` : ''}`, await withoutConflict(send, 8, 150));
  }

  scale(kind, name, replicas) {
    const what = `scale ${kind} ${name} to ${replicas}`;
    return this.patch(kind, name, { spec: { replicas } }, { sub: 'scale', what });
  }

  async del(kind, name, options, what) {
    const policy = options?.propagationPolicy ? ` ${options.propagationPolicy}` : '';
    const label = `delete ${kind} ${name}${policy}${options?.gracePeriodSeconds === 0 ? ' now' : ''}`;
    return this.#note(what ?? label, await this.raw('DELETE', this.path(kind, name), options));
  }

  async evict(name, options) {
    const label = `evict ${name.replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}$/, '-<rand>')}`;
    const metadata = { name, namespace: this.namespace };
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata, ...options };
    return this.#note(label, await this.raw('POST', this.path('Pod', name, 'eviction'), eviction), true);
  }

  /** Any request; `$ns` in the path is the namespace. The step has the text of any answer. */
  async req(what, method, path, body, type) {
    return this.#note(what, await this.raw(method, path.replace('$ns', this.namespace), body, type), true);
  }

  /** Writes a pod's status like a kubelet. */
  async podStatus(name, phase, more = {}) {
    const answer = await this.raw('PATCH', this.path('Pod', name, 'status'), { status: { phase, ...more } }, 'smp');
    if (answer.status !== 200) {
      this.steps.push({ do: 'pod status', status: answer.status, message: this.mask.text(answer.body?.message ?? '') });
    }
    return answer;
  }

  run(name, { ready = true, ip } = {}) {
    const condition = { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: timestamp() };
    return this.podStatus(name, 'Running', {
      conditions: [condition],
      ...(ip ? { podIP: ip, podIPs: [{ ip }] } : {}),
    });
  }

  #note(what, { status, body }, isTextKept = false) {
    const isError = status >= 400;
    const causes = body?.details?.causes;
    this.steps.push({
      do: this.mask.text(what),
      status,
      ...(isError || isTextKept ? { reason: body?.reason, message: this.#messageOf(body) } : {}),
      ...((isError || isTextKept) && causes ? { causes: this.mask.value(causes) } : {}),
    });
    return body;
  }

  #messageOf(body) {
    return typeof body?.message === 'string' ? this.mask.text(body.message) : undefined;
  }

  /** Waits until the volume controller has seen the volume. */
  #volumeSeen(name) {
    return poll(async () => (await this.get('PersistentVolume', name))?.status?.phase !== 'Pending', 20, 200);
  }
}

/** Sends again after a conflict. */
async function withoutConflict(send, attempts, pauseMs) {
  let answer = await send();
  for (let attempt = 1; attempt < attempts && answer.status === 409; attempt++) {
    await sleep(pauseMs);
    answer = await send();
  }
  return answer;
}
