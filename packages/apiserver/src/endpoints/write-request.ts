import { managerOf } from '@binnacle/apimachinery/managedfields';
import type { KubernetesObject, ObjectMeta } from '@binnacle/apimachinery/meta';
import { badRequest, type StatusError } from '@binnacle/apimachinery/status';
import {
  type AdmissionObserver,
  type AdmissionRequest,
  AdmissionRun,
  type AuditLevel,
  type Operation,
} from '../admission/index.js';
import type { KindCodec } from '../codec/index.js';
import { checkNamespace } from '../names/index.js';
import type { AdmissionChain, UpdateRequest, WriteScope } from '../registry/index.js';
import {
  type DeleteOptions,
  deleteOptionsDocument,
  type RequestContext,
  userAgentOf,
  type WriteOptions,
  writeOptionsDocument,
} from '../request/index.js';
import type { WriterIdentity } from '../storage/index.js';
import type { ObjectRequest, ResourceEndpoint } from './endpoint.js';
import { recordManager } from './managers.js';
import { soleVersion, viewVersions } from './object-versions.js';

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
    verb: context.info.verb,
    userName: context.user.name,
    requester: context.user,
    writer: writerOf(context, options),
    dryRun: options.dryRun,
    admission,
    budget: context.budget,
    signal: context.exchange.signal,
    warn: (text) => context.warn(text),
  };
}

function writerOf({ user, info, exchange, auditId }: RequestContext, options: object): WriterIdentity {
  const userAgent = userAgentOf(exchange);
  const fieldManager =
    'fieldManager' in options && typeof options.fieldManager === 'string' ? options.fieldManager : '';
  const manager = managerOf(fieldManager, userAgent);
  return { user: user.name, manager, userAgent, verb: info.verb, subresource: info.subresource, auditID: auditId };
}

/** Admission for a write of stored objects. `name`: empty for all objects of a deletecollection. */
export function admissionRun(write: DryRunnable, name: string = write.context.info.name): AdmissionRun {
  const { context, endpoint, view, options } = write;
  const { budget } = context;
  const { resource } = endpoint;
  const request: AdmissionRequest = {
    kind: view.codec.groupVersionKind,
    resource,
    subresource: view.subresource,
    namespace: isNamespaces(resource) ? context.info.namespace || name : context.info.namespace,
    name,
    dryRun: options.dryRun,
    versions: viewVersions({ endpoint, view, budget }),
    optionsOf: (operation) => optionsOf(operation, context, options),
    ...sharedAttributes(context),
  };
  return new AdmissionRun(endpoint.plugins, request, tracedAdmission(context, endpoint.admissionObserver));
}

/** Passes the steps of admission on, and notes their end in the trace of the request. */
function tracedAdmission(
  { trace }: RequestContext,
  observer: AdmissionObserver | undefined,
): AdmissionObserver | undefined {
  if (trace === undefined) return observer;
  return {
    begun(type, operation) {
      const ended = observer?.begun(type, operation);
      return (refused) => {
        ended?.(refused);
        trace.ended(type === 'admit' ? 'Mutating admission done' : 'Validating admission done');
      };
    },
  };
}

/** What admission knows of an object that is not stored, such as a binding or a review. */
export interface PlainAdmission extends Pick<ResourceEndpoint, 'resource' | 'plugins' | 'admissionObserver'> {
  readonly codec: KindCodec;
  readonly subresource: string;
  readonly name: string;
  readonly dryRun: boolean;
}

/** Admission for a create of an object that is not stored. */
export function plainAdmissionRun(context: RequestContext, admission: PlainAdmission): AdmissionRun {
  const { codec, resource, subresource, name, dryRun, plugins, admissionObserver } = admission;
  const request: AdmissionRequest = {
    kind: codec.groupVersionKind,
    resource,
    subresource,
    namespace: context.info.namespace,
    name,
    dryRun,
    versions: soleVersion(resource, codec, context.budget),
    optionsOf: (operation) => optionsOf(operation, context),
    ...sharedAttributes(context),
  };
  return new AdmissionRun(plugins, request, admissionObserver);
}

function sharedAttributes(context: RequestContext) {
  return {
    user: context.user,
    signal: context.exchange.signal,
    deadline: context.deadline,
    span: context.span,
    warn: (text: string) => context.warn(text),
    annotate: (key: string, value: string, level?: AuditLevel) => context.annotate(key, value, level),
  };
}

function optionsOf(operation: Operation, { query }: RequestContext, options?: object | DeleteOptions) {
  switch (operation) {
    case 'CREATE':
      return writeOptionsDocument('CreateOptions', query);
    case 'UPDATE':
      return writeOptionsDocument('UpdateOptions', query);
    case 'DELETE':
      return options !== undefined && 'preconditions' in options ? deleteOptionsDocument(options) : undefined;
    default:
      return undefined;
  }
}

function isNamespaces({ group, resource }: ResourceEndpoint['resource']): boolean {
  return group === '' && resource === 'namespaces';
}

/** Updates the object of the URL. The user needs the right to create if there is no object yet. */
export function updateAddressed(
  write: WriteRequest,
  request: Pick<UpdateRequest, 'transform' | 'leavesCurrent' | 'preconditions' | 'createIfAbsent' | 'requiresManagers'>,
) {
  const { context, endpoint, view } = write;
  const run = admissionRun(write);
  const admission: AdmissionChain = {
    admitCreate: (object) => run.admitCreate(object),
    validateCreate: async (object) => {
      await context.authorizeAs('create');
      await run.validateCreate(object);
    },
    createConditions: (object, isRetry) => run.createConditions(object, isRetry),
    admitUpdate: (object, old) => run.admitUpdate(object, old),
    validateUpdate: (object, old) => run.validateUpdate(object, old),
    validateDelete: (old) => run.validateDelete(old),
  };
  return endpoint.store.update(writeScope(write, admission), {
    name: context.info.name,
    strategy: view.strategy,
    ...request,
  });
}

/** The error for a body without a name, by the name in the URL. */
export function withoutName(name: string): StatusError {
  return badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
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
  if (given === '') throw withoutName(name);
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
