import { deepCopyInSteps } from '@binnacle/apimachinery/json';
import { asJson, asObject } from '@binnacle/apimachinery/meta';
import { dropDuplicateOwners } from '../admission/index.js';
import { negotiateRepresentation } from '../answers/index.js';
import { parseUpdateOptions } from '../request/index.js';
import { inSlices, stage } from '../slices/index.js';
import { readObject } from './body/body.js';
import type { ObjectRequest } from './endpoint.js';
import { respondObject } from './representation.js';
import { acceptUpdate, checkName, updateAddressed, type WriteRequest } from './write-request.js';
import type { KindLookup } from './body/wrong-kind.js';

/** PUT of one object: whole replacement. */
export async function updateObject(request: ObjectRequest, kindExists: KindLookup): Promise<void> {
  const { context, view } = request;
  const representation = negotiateRepresentation(context, view.codec);
  const write: WriteRequest = { ...request, options: parseUpdateOptions(context.query) };
  const sent = await readObject(context, view.codec, write.options.fieldValidation, kindExists);
  context.trace?.ended('Conversion done');
  checkName(write, sent);
  dropDuplicateOwners(sent.metadata, (text) => context.warn(text), 'before admission');
  const result = await updateAddressed(write, {
    preconditions: { uid: sent.metadata.uid || undefined },
    transform: async (current) => {
      const replacement = asObject(await inSlices(deepCopyInSteps(asJson(sent))));
      await stage();
      return acceptUpdate(write, replacement, current);
    },
  });
  context.trace?.ended('Write to database call succeeded');
  await respondObject(request, representation, result.created ? 201 : 200, result.stored);
}
