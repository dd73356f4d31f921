import { type Random, sleep } from '@binnacle/apimachinery/clock';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import { DiscoveryClient, RestMapper } from '@binnacle/client/discovery';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import type { TypedObject } from '@binnacle/client/typed';
import type { SimulatedCluster } from '../cluster/index.js';
import type { ClusterState } from '../history/index.js';
import {
  type Action,
  type ActionParameters,
  milliseconds,
  type NodeChoice,
  type ObjectName,
} from '../scenario/index.js';
import { drain } from './drain.js';
import { evict } from './evict.js';
import type { Stage } from './stage.js';

const FIELD_MANAGER = 'simulation';

interface Performer {
  readonly name: keyof ActionParameters;
  readonly perform: (action: Action, stage: Stage) => Promise<void>;
}

function performer<K extends keyof ActionParameters>(
  name: K,
  act: (given: NonNullable<Action[K]>, stage: Stage) => Promise<void> | void,
): Performer {
  return {
    name,
    perform: async (action, stage) => {
      const given: Action[K] = action[name];
      if (given !== undefined && given !== null) await act(given, stage);
    },
  };
}

const PERFORMERS: readonly Performer[] = [
  performer('apply', async (objects, { cluster, mapper }) => {
    for (const object of objects) {
      const { apiVersion, kind } = object;
      const query = { group: '', version: apiVersion, ...parseGroupVersion(apiVersion), kind };
      const { resource, namespaced } = await mapper.resourceForKind(query);
      const { namespace = 'default' } = object.metadata;
      const resources = cluster.client.resource<TypedObject>(resource);
      const target = namespaced ? resources.namespace(namespace) : resources;
      await target.apply(object, { fieldManager: FIELD_MANAGER, force: true });
    }
  }),
  performer('delete', async (name, stage) => {
    await (await objectsOf(name, stage)).delete(name.name, { propagationPolicy: 'Background' });
  }),
  performer('scale', async ({ replicas, ...name }, stage) => {
    await (await objectsOf(name, stage)).scale.patch(name.name, { type: 'merge', body: { spec: { replicas } } });
  }),
  performer('rollout', async (name, stage) => {
    const restartedAt = new Date(stage.cluster.clock.now()).toISOString();
    const metadata = { annotations: { 'kubectl.kubernetes.io/restartedAt': restartedAt } };
    const body = { spec: { template: { metadata } } };
    await (await objectsOf(name, stage)).patch(name.name, { type: 'merge', body });
  }),
  performer('drain', async (choice, stage) => {
    await Promise.all(chosen(choice, stage).map((node) => drain(node, stage)));
  }),
  performer('uncordon', async (choice, stage) => {
    for (const node of chosen(choice, stage))
      await stage.cluster.client.resource(Node).patch(node, { type: 'merge', body: { spec: { unschedulable: null } } });
  }),
  performer('deleteNodes', async (choice, stage) => {
    for (const node of chosen(choice, stage)) await stage.cluster.client.resource(Node).delete(node);
  }),
  performer('cutOff', (choice, stage) => stage.cluster.cutOff(chosen(choice, stage), milliseconds(choice.for))),
  performer('evict', async ({ namespace, selector, atMost = Number.POSITIVE_INFINITY }, { cluster, random }) => {
    const pods = cluster.client.resource(Pod).namespace(namespace);
    const { items } = await pods.list(selector === undefined ? {} : { labelSelector: selector });
    const names = items.map(({ metadata: { name = '' } }) => name);
    await Promise.all(draw(names, atMost, random).map((name) => evict(namespace, name, cluster)));
  }),
  performer('kill', ({ component, for: away = '1s' }, { cluster }) => cluster.kill(component, milliseconds(away))),
  performer('faults', (faults, { cluster }) => {
    cluster.faults = faults;
  }),
  performer('inject', async ({ for: length, ...rule }, { cluster, signal }) => {
    const fault = cluster.serverFaults?.add(rule);
    if (length === undefined) return;
    await sleep(cluster.clock, milliseconds(length), signal);
    fault?.remove();
  }),
];

/** Does what the action says. Resolves when it is done; a drain takes a while. Rejects when the server refuses it. */
export async function perform(action: Action, stage: Stage): Promise<void> {
  for (const performer of PERFORMERS) await performer.perform(action, stage);
}

/** The name of the action, such as `scale`. */
export function nameOfAction(action: Action): string {
  return PERFORMERS.find(({ name }) => action[name] !== undefined)?.name ?? 'nothing';
}

function chosen(choice: Parameters<typeof chooseNodes>[0], { cluster, random }: Stage): readonly string[] {
  return chooseNodes(choice, cluster.recorder.state, random);
}

async function objectsOf({ resource, namespace = 'default' }: ObjectName, { cluster, mapper }: Stage) {
  const found = await mapper.resourceFor(resource);
  const resources = cluster.client.resource(found.resource);
  return found.namespaced ? resources.namespace(namespace) : resources;
}

export function mapperOf(cluster: SimulatedCluster): RestMapper {
  return new RestMapper(new DiscoveryClient(cluster.transport));
}

/** The nodes that the action names, or `any` nodes of the cluster, which the seed chooses. */
function chooseNodes({ nodes, any = 0 }: NodeChoice, state: ClusterState, random: Random): readonly string[] {
  if (nodes !== undefined) return nodes;
  return draw(
    state.list(Node).map(({ metadata: { name = '' } }) => name),
    any,
    random,
  );
}

/** At most this many of the items, each at most once, in the order in which they are drawn. */
function draw<T>(items: readonly T[], atMost: number, random: Random): T[] {
  const left = [...items];
  const drawn: T[] = [];
  while (drawn.length < atMost && left.length > 0)
    drawn.push(...left.splice(Math.floor(random.number() * left.length), 1));
  return drawn;
}
