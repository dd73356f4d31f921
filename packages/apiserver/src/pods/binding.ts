import type { Binding, Pod } from '@binnacle/api/types/core-v1';
import { emptyFieldSet } from '@binnacle/apimachinery/managedfields';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import {
  badRequest,
  conflict,
  formatFieldErrors,
  notSupported,
  required,
  unclassified,
} from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import { respondWithStatus } from '../answers/index.js';
import type { KindCodec } from '../codec/index.js';
import {
  type KindLookup,
  plainAdmissionRun,
  readObject,
  recordManager,
  type ResourceEndpoint,
  wipeSystemMetadata,
  type WriteRequest,
  writeScope,
} from '../endpoints/index.js';
import { placeInNamespace } from '../names/index.js';
import { noAdmission, type Preconditions } from '../registry/index.js';
import { parseCreateOptions, type RequestContext } from '../request/index.js';
import { withCondition } from './pod-state.js';

/** `pods/x/binding`: a scheduler assigns a pod to a node. Upstream: `pkg/registry/core/pod/storage` BindingREST. */
export function bindingHandler(codec: KindCodec, kindExists: KindLookup) {
  return async (context: RequestContext, endpoint: ResourceEndpoint): Promise<void> => {
    const options = parseCreateOptions(context.query);
    const sent = await readObject(context, codec, options.fieldValidation, kindExists);
    await bind({ context, endpoint, view: { ...endpoint.main, codec, subresource: 'binding' }, options }, sent);
  };
}

/** `bindings`: the same, with the pod's name only in the body. Upstream: LegacyBindingREST. */
export function collectionBindingHandler(codec: KindCodec, kindExists: KindLookup) {
  return async (context: RequestContext, endpoint: ResourceEndpoint): Promise<void> => {
    const options = parseCreateOptions(context.query);
    const sent = await readObject(context, codec, options.fieldValidation, kindExists);
    // Upstream keeps system metadata only for subresources, so the uid is not a precondition here.
    wipeSystemMetadata(sent.metadata);
    const resource = { group: '', version: 'v1', resource: 'bindings' };
    await bind({ context, endpoint: { ...endpoint, resource }, view: { ...endpoint.main, codec }, options }, sent);
  };
}

/** Admission sees the create of the binding, and not the update of the pod that follows. */
async function bind(write: WriteRequest, sent: KubernetesObject): Promise<void> {
  const { context, endpoint } = write;
  const { name = '' } = sent.metadata;
  const binding = asKind<Binding>(sent);
  placeInNamespace(sent.metadata, context.info.namespace);
  const { view, options } = write;
  const { dryRun } = options;
  const recorded = { codec: view.codec, subresource: view.subresource, resetFields: emptyFieldSet };
  await recordManager({ context, endpoint, view: recorded, options }, undefined, sent);
  const admission = plainAdmissionRun(context, { ...endpoint, ...view, name, dryRun });
  await admission.admitCreate(sent);
  if (context.info.name !== '' && context.info.name !== name) {
    throw badRequest('name in URL does not match name in Binding object');
  }
  checkTarget(binding);
  await admission.validateCreate(sent);
  if (name === '') throw badRequest('Name parameter required.');
  await endpoint.store.update(writeScope(write, noAdmission), {
    name,
    strategy: {},
    preconditions: preconditionsOf(sent),
    transform: (current) => {
      if (current === undefined) throw conflict({ group: '', resource: 'pods/binding' }, name, 'the pod is gone');
      assign(name, current, sent, binding, endpoint.clock.now());
      return current;
    },
  });
  await respondWithStatus(context, 201, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    code: 201,
  });
}

function checkTarget(binding: Binding): void {
  const { target } = binding;
  const kind = target?.kind ?? '';
  const errors = [
    ...(kind !== '' && kind !== 'Node' ? [notSupported('target.kind', kind, ['Node', '<empty>'])] : []),
    ...((target?.name ?? '') === '' ? [required('target.name', '')] : []),
  ];
  // Upstream returns an unclassified error here, so clients see a 500.
  if (errors.length > 0) throw unclassified(formatFieldErrors(errors));
}

function preconditionsOf({ metadata }: KubernetesObject): Preconditions {
  const { uid = '', resourceVersion = '' } = metadata;
  return { uid: uid || undefined, resourceVersion: resourceVersion || undefined };
}

function assign(name: string, object: KubernetesObject, sent: KubernetesObject, binding: Binding, now: number): void {
  const pod = asKind<Pod>(object);
  const refuse = (reason: string) => conflict({ group: '', resource: 'pods/binding' }, name, reason);
  const spec = pod.spec;
  if (spec === undefined) throw refuse(`pod ${name} has no spec`);
  if (object.metadata.deletionTimestamp !== undefined) {
    throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if ((spec.nodeName ?? '') !== '')
    throw refuse(`pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
  if ((spec.schedulingGates ?? []).length > 0) throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  spec.nodeName = binding.target.name;
  if (sent.metadata.annotations !== undefined) {
    object.metadata.annotations = { ...object.metadata.annotations, ...sent.metadata.annotations };
  }
  if (sent.metadata.labels !== undefined) {
    object.metadata.labels = { ...object.metadata.labels, ...sent.metadata.labels };
  }
  const { nominatedNodeName: _, ...status } = pod.status ?? {};
  const scheduled = { type: 'PodScheduled', status: 'True' };
  pod.status = { ...status, conditions: withCondition(status.conditions, scheduled, formatTime(now)) };
  delete object.metadata.resourceVersion;
}
