import { forbidden, internalError } from '@binnacle/apimachinery/status';
import { respondWithStatus } from '../answers/index.js';
import { noAdmission } from '../registry/index.js';
import type { DeleteOptions, RequestContext } from '../request/index.js';
import type { ObjectRequest, ResourceEndpoint } from './endpoint.js';
import { writeScope } from './write-request.js';

const OPTION = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const VERB = 'unsafe-delete-ignore-read-errors';

/**
 * DELETE of an object that no one can read. The user needs a right of its own; no admission, precondition or finalizer is
 * asked. Some kinds keep such objects. Upstream: apiserver `pkg/registry/generic/registry/corrupt_obj_deleter.go`.
 */
export async function deleteUnreadableObject(request: ObjectRequest, options: DeleteOptions): Promise<void> {
  const { context, endpoint, view } = request;
  const { name } = context.info;
  context.annotate('apiserver.k8s.io/unsafe-delete-ignore-read-error', '');
  if (endpoint.store.strategy.keepsUnreadable === true)
    throw internalError(`no unsafe deleter provided, can not honor ${OPTION}`);
  await authorize(context, endpoint);
  await endpoint.store.deleteUnreadable(writeScope({ context, options }, noAdmission), name);
  await respondWithStatus(context, 200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, kind: view.codec.groupVersionKind.kind },
    code: 200,
  });
}

async function authorize(context: RequestContext, { resource }: ResourceEndpoint): Promise<void> {
  const { allowed, reason, error } = await context.decideAs(VERB);
  if (allowed) return;
  const why =
    error === undefined
      ? `not permitted to do "${VERB}", reason: ${reason}`
      : `error while checking permission for "${VERB}", ${error}`;
  throw forbidden(resource, context.info.name, why);
}
