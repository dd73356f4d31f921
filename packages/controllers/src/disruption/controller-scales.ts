import { formatGroupResource, parseGroupVersion } from '@binnacle/apimachinery/meta';
import { controllerOf, type ReconcileContext } from '@binnacle/client/controller';
import { type DiscoveryClient, NoMatchError, RestMapper } from '@binnacle/client/discovery';
import { Deployment, ReplicaSet, StatefulSet } from '@binnacle/client/kinds/apps/v1';
import { ReplicationController } from '@binnacle/client/kinds/core/v1';
import { isNotFound } from '@binnacle/client/rest';
import type { OwnerReference, ResourceType, TypedObject } from '@binnacle/client/typed';
import { type ControllerScale, ExpectedPodsError, type FindScale } from './expected-pods.js';

type Scaled = TypedObject & { readonly spec?: { readonly replicas?: number } };
type Caches = Pick<ReconcileContext, 'lister' | 'client' | 'signal'>;

/** The kinds whose scale the caches show, with the groups that references to them may name. */
const KNOWN: readonly (readonly [ResourceType<Scaled>, readonly string[]])[] = [
  [ReplicationController, ['']],
  [ReplicaSet, ['apps', 'extensions']],
  [StatefulSet, ['apps']],
];

/** Looks in the caches first, and then for a scale subresource of any kind. The scale of a ReplicaSet of a Deployment is that of the Deployment. */
export function scalesFrom(discovery: DiscoveryClient, caches: Caches): FindScale {
  const mapper = new RestMapper(discovery);
  return async (pod) => {
    const { name = '', namespace = '' } = pod.metadata;
    const reference = controllerOf(pod);
    const scale =
      reference &&
      (cachedScale(caches, namespace, reference) ?? (await liveScale(mapper, caches, namespace, reference)));
    if (scale === undefined) throw new ExpectedPodsError(`found no controllers for pod ${JSON.stringify(name)}`);
    return scale;
  };
}

function cachedScale({ lister }: Caches, namespace: string, reference: OwnerReference): ControllerScale | undefined {
  const group = parseGroupVersion(reference.apiVersion)?.group;
  for (const [resource, groups] of KNOWN) {
    if (reference.kind !== resource.kind || group === undefined || !groups.includes(group)) continue;
    const found = sameObject(lister(resource).namespace(namespace).get(reference.name), reference);
    const controller = found && controllerOf(found);
    const isOfDeployment = resource === ReplicaSet && controller?.kind === Deployment.kind;
    if (!isOfDeployment) return scaleOf(found);
    const isDeployment = ['apps', 'extensions'].includes(parseGroupVersion(controller.apiVersion)?.group ?? '');
    const deployment = isDeployment ? lister(Deployment).namespace(namespace).get(controller.name) : undefined;
    return scaleOf(sameObject(deployment, controller));
  }
  return undefined;
}

function sameObject<T extends TypedObject>(object: T | undefined, { uid }: OwnerReference): T | undefined {
  return object?.metadata.uid === uid ? object : undefined;
}

function scaleOf(object: Scaled | undefined): ControllerScale | undefined {
  return object && { uid: object.metadata.uid ?? '', replicas: object.spec?.replicas ?? 1 };
}

async function liveScale(
  mapper: RestMapper,
  { client, signal }: Caches,
  namespace: string,
  { apiVersion, kind, name, uid }: OwnerReference,
): Promise<ControllerScale | undefined> {
  const { group = '', version = '' } = parseGroupVersion(apiVersion) ?? {};
  const found = await mapper.resourceForKind({ group, kind, version }, { signal }).catch((error: unknown) => {
    if (!(error instanceof NoMatchError)) throw error;
    throw new ExpectedPodsError(`no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`);
  });
  try {
    const scale = await client.resource(found.resource).namespace(namespace).scale.get(name, { signal });
    return scale.metadata.uid === uid ? { uid, replicas: scale.spec?.replicas ?? 0 } : undefined;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if (found.subresources.some((each) => each.name === 'scale')) return undefined;
    throw new ExpectedPodsError(`${formatGroupResource(found.resource)} does not implement the scale subresource`);
  }
}
