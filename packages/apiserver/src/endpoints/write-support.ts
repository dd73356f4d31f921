import { type Convert, managerOf, trackUpdateInSteps } from '@binnacle/apimachinery/managedfields';
import type { KubernetesObject, ManagedFieldsEntry, ObjectMeta } from '@binnacle/apimachinery/meta';
import { badRequest } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import { AdmissionRun } from '../admission/index.js';
import type { RequestContext } from '../http/index.js';
import type { AdmissionChain, WriteScope } from '../registry/index.js';
import type { WriteOptions } from '../request/index.js';
import { inSlices, pause } from '../slices/index.js';
import type { ResourceEndpoint, View } from './endpoint.js';

export function writeScope(context: RequestContext, dryRun: boolean): WriteScope {
  return {
    namespace: context.info.namespace,
    userName: context.user.name,
    requester: context.user,
    dryRun,
    budget: context.budget,
    warn: (text) => context.warn(text),
  };
}

export function admissionRun(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  view: View,
  dryRun: boolean,
  name: string = context.info.name,
): AdmissionRun {
  const request = {
    kind: view.codec.groupVersionKind,
    resource: endpoint.resource,
    subresource: view.subresource,
    namespace: context.info.namespace,
    name,
    dryRun,
    user: context.user,
    warn: (text: string) => context.warn(text),
  };
  return new AdmissionRun(endpoint.plugins, request, endpoint.admissionObserver);
}

/** Admission for a write that creates an absent object: the user then needs the right to create. */
export function creatingAdmission(context: RequestContext, run: AdmissionRun): AdmissionChain {
  return {
    admitCreate: (object) => run.admitCreate(object),
    validateCreate: async (object) => {
      await context.authorizeAs('create');
      await run.validateCreate(object);
    },
    admitUpdate: (object, old) => run.admitUpdate(object, old),
    validateUpdate: (object, old) => run.validateUpdate(object, old),
    validateDelete: (old) => run.validateDelete(old),
  };
}

/** Checks that the body's name is the one in the URL. */
export function checkName(context: RequestContext, object: Readonly<KubernetesObject>): void {
  const { name, namespace } = context.info;
  const where = object.metadata.namespace ?? '';
  if (namespace !== '' && where !== '' && where !== namespace) throw otherNamespace();
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
  context: RequestContext,
  endpoint: ResourceEndpoint,
  view: View,
  options: WriteOptions,
  sent: KubernetesObject,
  current: KubernetesObject | undefined,
): Promise<KubernetesObject> {
  await recordManager(context, endpoint, view, options, current === undefined ? undefined : view.before(current), sent);
  return view.accept(sent, current);
}

/**
 * Records in metadata.managedFields which manager set which fields. `live` is the object before the write, in the
 * view's version; undefined on a create.
 */
export async function recordManager(
  context: RequestContext,
  endpoint: Pick<ResourceEndpoint, 'now'>,
  view: Pick<View, 'codec' | 'subresource' | 'resetFields' | 'settableFields'> &
    Partial<Pick<View, 'converting' | 'isStoredForm'>>,
  options: WriteOptions,
  live: Readonly<KubernetesObject> | undefined,
  object: KubernetesObject,
): Promise<void> {
  const now = formatTime(endpoint.now());
  // The manager owns fields that a conversion fills in. Custom resources pass unconverted.
  const isConverted = view.isStoredForm !== true && view.codec.untyped !== true;
  const track = (convert?: Convert) => {
    const converted = isConverted ? convert?.(object, view.codec.apiVersion) : undefined;
    const steps = trackUpdateInSteps({
      live,
      updated: converted?.object ?? object,
      schema: view.codec.schema,
      apiVersion: view.codec.apiVersion,
      manager: managerOf(options.fieldManager, context.exchange.headers['user-agent']),
      subresource: view.subresource,
      now,
      resetFields: view.resetFields,
      settableFields: view.settableFields,
      convert,
      budget: context.budget,
    });
    return inSlices(steps);
  };
  setManagers(object, await (view.converting === undefined ? track() : view.converting(track)));
  await pause();
}

export function setManagers(object: KubernetesObject, entries: ManagedFieldsEntry[] | undefined): void {
  if (entries === undefined || entries.length === 0) delete object.metadata.managedFields;
  else object.metadata.managedFields = entries;
}

/** Removes metadata that only the server sets. Upstream: `rest.WipeObjectMetaSystemFields`. */
export function wipeSystemMetadata(metadata: ObjectMeta): void {
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

/**
 * Puts the object in the namespace of its URL ('' = none), and throws if it names another. Upstream:
 * `rest.EnsureObjectNamespaceMatchesRequestNamespace`.
 */
export function placeInNamespace(metadata: ObjectMeta, namespace: string): void {
  const given = metadata.namespace ?? '';
  if (namespace === '') delete metadata.namespace;
  else if (given !== '' && given !== namespace) throw otherNamespace();
  else metadata.namespace = namespace;
}

function otherNamespace(): Error {
  return badRequest('the namespace of the provided object does not match the namespace sent on the request');
}
