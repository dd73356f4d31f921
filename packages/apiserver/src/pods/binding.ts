import type { Binding, Pod } from '@binnacle/api/types/core-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { badRequest, conflict, invalid, required, notSupported } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import { respondWithStatus } from '../answers/index.js';
import type { KindCodec } from '../codec/index.js';
import {
  admissionRun,
  checkName,
  type KindLookup,
  readObject,
  type ResourceEndpoint,
  writeScope,
} from '../endpoints/index.js';
import type { RequestContext } from '../http/index.js';
import { parseCreateOptions, type WriteOptions } from '../request/index.js';

/** `pods/x/binding`: a scheduler puts a pod on a node. Upstream: `pkg/registry/core/pod/storage` BindingREST. */
export function bindingHandler(codec: KindCodec, kindExists: KindLookup) {
  return async (context: RequestContext, endpoint: ResourceEndpoint): Promise<void> => {
    const options = parseCreateOptions(context.query);
    const sent = await readObject(context, codec, options.fieldValidation, kindExists);
    checkName(context, sent);
    await bind(context, endpoint, options, sent, context.info.name);
  };
}

/** `bindings`: the same with the pod's name in the body alone. Upstream: LegacyBindingREST. */
export function collectionBindingHandler(codec: KindCodec, kindExists: KindLookup) {
  return async (context: RequestContext, endpoint: ResourceEndpoint): Promise<void> => {
    const options = parseCreateOptions(context.query);
    const sent = await readObject(context, codec, options.fieldValidation, kindExists);
    const { name = '', namespace = '' } = sent.metadata;
    if (namespace !== '' && namespace !== context.info.namespace) {
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
    }
    await bind(context, endpoint, options, sent, name);
  };
}

async function bind(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  options: WriteOptions,
  sent: KubernetesObject,
  name: string,
): Promise<void> {
  const binding = sent as unknown as Binding;
  checkTarget(sent, binding);
  const view = { ...endpoint.main, subresource: 'binding' };
  await endpoint.store.update(
    writeScope(context, options.dryRun),
    {
      name,
      strategy: {},
      transform: (current) => {
        if (current === undefined) throw conflict({ group: '', resource: 'pods/binding' }, name, 'the pod is gone');
        assign(name, current, sent, binding, endpoint.now());
        return current;
      },
    },
    admissionRun(context, endpoint, view, options.dryRun, name),
  );
  await respondWithStatus(context, 201, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    code: 201,
  });
}

function checkTarget(sent: KubernetesObject, binding: Binding): void {
  const { target } = binding;
  const kind = target?.kind ?? '';
  const errors = [
    ...(kind !== '' && kind !== 'Node' ? [notSupported('target.kind', kind, ['Node', '<empty>'])] : []),
    ...((target?.name ?? '') === '' ? [required('target.name', '')] : []),
  ];
  if (errors.length > 0) throw invalid({ group: '', kind: 'Binding' }, sent.metadata.name ?? '', errors);
}

function assign(name: string, object: KubernetesObject, sent: KubernetesObject, binding: Binding, now: number): void {
  const pod = object as unknown as Pod;
  const refuse = (reason: string) => conflict({ group: '', resource: 'pods/binding' }, name, reason);
  const spec = pod.spec;
  if (spec === undefined) throw refuse(`pod ${name} has no spec`);
  if (object.metadata.deletionTimestamp !== undefined) {
    throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if ((spec.nodeName ?? '') !== '')
    throw refuse(`pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
  if ((spec.schedulingGates ?? []).length > 0) throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  const { uid } = sent.metadata;
  if (uid !== undefined && uid !== '' && uid !== object.metadata.uid) {
    throw refuse(`the UID in the precondition (${uid}) does not match the UID in record (${object.metadata.uid})`);
  }
  spec.nodeName = binding.target.name;
  if (sent.metadata.annotations !== undefined) {
    object.metadata.annotations = { ...object.metadata.annotations, ...sent.metadata.annotations };
  }
  const status = pod.status ?? {};
  const others = (status.conditions ?? []).filter((condition) => condition.type !== 'PodScheduled');
  pod.status = {
    ...status,
    conditions: [...others, { type: 'PodScheduled', status: 'True', lastTransitionTime: formatTime(now) }],
  };
  delete object.metadata.resourceVersion;
}
