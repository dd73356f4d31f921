import type { KubernetesObject, ObjectMeta } from '@binnacle/apimachinery/meta';
import { badRequest } from '@binnacle/apimachinery/status';
import { AdmissionRun } from '../admission/index.js';
import { checkNamespace } from '../names/index.js';
import type { AdmissionChain, UpdateRequest, WriteScope } from '../registry/index.js';
import type { WriteOptions } from '../request/index.js';
import type { ObjectRequest } from './endpoint.js';
import { recordManager } from './managers.js';

/** A request that writes: where it goes, and its options. */
export interface WriteRequest<O extends Pick<WriteOptions, 'dryRun'> = WriteOptions> extends ObjectRequest {
  readonly options: O;
}

/** Any request that may be a dry run. */
type DryRunnable = WriteRequest<Pick<WriteOptions, 'dryRun'>>;

/** The request as the registry sees it. */
export function writeScope(write: Omit<DryRunnable, 'endpoint' | 'view'>, admission: AdmissionChain): WriteScope {
  const { context, options } = write;
  return {
    namespace: context.info.namespace,
    subresource: context.info.subresource,
    userName: context.user.name,
    requester: context.user,
    dryRun: options.dryRun,
    admission,
    budget: context.budget,
    warn: (text) => context.warn(text),
  };
}

export function admissionRun(write: DryRunnable, name: string = write.context.info.name): AdmissionRun {
  const { context, endpoint, view, options } = write;
  const request = {
    kind: view.codec.groupVersionKind,
    resource: endpoint.resource,
    subresource: view.subresource,
    namespace: context.info.namespace,
    name,
    dryRun: options.dryRun,
    user: context.user,
    warn: (text: string) => context.warn(text),
  };
  return new AdmissionRun(endpoint.plugins, request, endpoint.admissionObserver);
}

/** Updates the object of the URL. The user needs the right to create if there is no object yet. */
export function updateAddressed(
  write: WriteRequest,
  request: Pick<UpdateRequest, 'transform' | 'preconditions' | 'createIfAbsent'>,
) {
  const { context, endpoint, view } = write;
  const run = admissionRun(write);
  const admission: AdmissionChain = {
    admitCreate: (object) => run.admitCreate(object),
    validateCreate: async (object) => {
      await context.authorizeAs('create');
      await run.validateCreate(object);
    },
    admitUpdate: (object, old) => run.admitUpdate(object, old),
    validateUpdate: (object, old) => run.validateUpdate(object, old),
    validateDelete: (old) => run.validateDelete(old),
  };
  return endpoint.store.update(writeScope(write, admission), {
    ...request,
    name: context.info.name,
    strategy: view.strategy,
  });
}

/** Checks that the body's name and namespace are those in the URL. */
export function checkName(
  { context, endpoint }: Pick<ObjectRequest, 'context' | 'endpoint'>,
  object: Readonly<KubernetesObject>,
): void {
  const { name, namespace } = context.info;
  // The URL of a Namespace has a namespace, and the object has none.
  if (endpoint.namespaced) checkNamespace(object.metadata, namespace);
  const given = object.metadata.name ?? '';
  if (given === '') {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

/**
 * The object that an update or a patch through a view stores, with its manager recorded. The caller owns `current`,
 * which may be changed.
 */
export async function acceptUpdate(
  write: WriteRequest,
  sent: KubernetesObject,
  current: KubernetesObject | undefined,
): Promise<KubernetesObject> {
  await recordManager(write, current === undefined ? undefined : write.view.before(current), sent);
  return write.view.accept(sent, current);
}

/** Removes metadata that only the server sets. Upstream: `rest.WipeObjectMetaSystemFields`. */
export function wipeSystemMetadata(metadata: ObjectMeta): void {
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}
