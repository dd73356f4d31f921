import { type ResourceFacts, type SubresourceFacts, subresourceKind } from '@binnacle/api/table';
import { createCodec, type KindCodec } from '../../codec/index.js';
import { type ConnectOptions, objectView, scaleView, type SubresourceEndpoint } from '../../endpoints/index.js';
import { scaleSelectorOf, subresourceStrategyOf, withoutPrivileged } from '../../resources/index.js';
import type { StorageUnit } from './storage-unit.js';
import { fieldRulesOf } from './reset-fields.js';

/** Handlers of subresources that are not views of the object, by `pods/binding`. */
export type SubresourceHandlers = ReadonlyMap<string, NonNullable<SubresourceEndpoint['handle']>>;

/** The path of the desired replicas in every built-in kind with a scale. */
const replicasPath = ['spec', 'replicas'];

/** The subresources of a resource in the table. */
export function subresourcesOf(
  facts: ResourceFacts,
  unit: StorageUnit,
  codec: KindCodec,
  handlers: SubresourceHandlers,
  allowPrivileged: boolean,
): ReadonlyMap<string, SubresourceEndpoint> {
  const endpoints = new Map<string, SubresourceEndpoint>();
  for (const subresource of facts.subresources ?? []) {
    endpoints.set(subresource.name, createSubresource(facts, subresource, unit, codec, handlers, allowPrivileged));
  }
  return endpoints;
}

function createSubresource(
  facts: ResourceFacts,
  subresource: SubresourceFacts,
  unit: StorageUnit,
  codec: KindCodec,
  handlers: SubresourceHandlers,
  allowPrivileged: boolean,
): SubresourceEndpoint {
  const verbs = new Set<string>(subresource.verbs);
  const { name } = subresource;
  if (name === 'scale') {
    const scaleCodec = createCodec(subresourceKind(facts, subresource));
    return {
      verbs,
      view: scaleView(
        scaleCodec,
        {
          resource: facts,
          selector: scaleSelectorOf,
          apiVersion: codec.apiVersion,
          wanted: new Map([...unit.versions.apiVersions].map((version) => [version, replicasPath])),
        },
        subresourceStrategyOf(facts.group, facts.resource, name),
      ),
    };
  }
  const handle = handlers.get(`${facts.resource}/${name}`);
  const connect = subresource.connect === true ? connectOf(facts, subresource) : undefined;
  if (handle !== undefined) return { verbs, handle, ...(connect === undefined ? {} : { connect }) };
  // Not a view of the object, and without a handler: the router answers that the method is not allowed.
  if (subresource.connect === true || !verbs.has('update')) return { verbs };
  const known = subresourceStrategyOf(facts.group, facts.resource, name);
  const addsContainers = known !== undefined && name === 'ephemeralcontainers';
  const strategy = addsContainers && !allowPrivileged ? withoutPrivileged(known, facts) : known;
  return {
    verbs,
    view: objectView(unit.versions, codec, name, strategy, fieldRulesOf(facts, name)),
  };
}

function connectOf(facts: ResourceFacts, subresource: SubresourceFacts): ConnectOptions {
  return { codec: createCodec(subresourceKind(facts, subresource)), hasPath: subresource.path === true };
}
