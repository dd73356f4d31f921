import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { dropDuplicateOwners } from '../admission/index.js';
import { negotiateRepresentation } from '../answers/index.js';
import type { UpdateRequest } from '../registry/index.js';
import { parseUpdateOptions } from '../request/index.js';
import { readObject } from './body/body.js';
import type { ObjectRequest } from './endpoint.js';
import { respondObject } from './representation.js';
import { acceptUpdate, checkName, updateAddressed, type WriteRequest } from './write-request.js';
import type { KindLookup } from './body/wrong-kind.js';

/** PUT of one object: whole replacement. */
export async function updateObject(request: ObjectRequest, kindExists: KindLookup): Promise<void> {
  const { context, view } = request;
  const representation = negotiateRepresentation(context, view.codec);
  const write: WriteRequest = { options: parseUpdateOptions(context.query), ...request };
  const sent = await readObject(context, view.codec, write.options.fieldValidation, kindExists);
  context.trace?.ended('Conversion done');
  checkName(write, sent);
  dropDuplicateOwners(sent.metadata, (text) => context.warn(text), 'before admission');
  const result = await updateAddressed(write, {
    preconditions: { uid: sent.metadata.uid || undefined },
    leavesCurrent: view.isStoredForm,
    transform: attempts(sent, rereading(request, kindExists), (object, current) =>
      acceptUpdate(write, object, current),
    ),
  });
  context.trace?.ended('Write to database call succeeded');
  await respondObject(request, representation, result.created ? 201 : 200, result.stored);
}

/** A transform whose first attempt uses up `sent`. Further ones are rare, and begin with the object read again. */
function attempts(
  sent: KubernetesObject,
  readAgain: () => Promise<KubernetesObject>,
  accept: (object: KubernetesObject, current: KubernetesObject | undefined) => Promise<KubernetesObject>,
): UpdateRequest['transform'] {
  let next: KubernetesObject | undefined = sent;
  return async (current) => {
    const object = next ?? (await readAgain());
    next = undefined;
    return accept(object, current);
  };
}

/** Reads the body of a request again. Its warnings have been sent. */
function rereading({ context, view }: ObjectRequest, kindExists: KindLookup): () => Promise<KubernetesObject> {
  return async () => {
    const object = await readObject(context, view.codec, 'Ignore', kindExists);
    dropDuplicateOwners(object.metadata, () => undefined, 'before admission');
    return object;
  };
}
