import { dropDuplicateOwners } from '../admission/index.js';
import { negotiateRepresentation } from '../answers/index.js';
import { parseCreateOptions } from '../request/index.js';
import { readObject } from './body/body.js';
import type { ObjectRequest } from './endpoint.js';
import { recordManager } from './managers.js';
import { respondObject } from './representation.js';
import { admissionRun, wipeSystemMetadata, type WriteRequest, writeScope } from './write-request.js';
import type { KindLookup } from './body/wrong-kind.js';

/** POST to a collection. */
export async function createObject(request: ObjectRequest, kindExists: KindLookup): Promise<void> {
  const { context, endpoint, view } = request;
  const representation = negotiateRepresentation(context, view.codec);
  const write: WriteRequest = { options: parseCreateOptions(context.query), ...request };
  const sent = await readObject(context, view.codec, write.options.fieldValidation, kindExists);
  context.trace?.ended('Conversion done');
  wipeSystemMetadata(sent.metadata);
  dropDuplicateOwners(sent.metadata, (text) => context.warn(text), 'before admission');
  await recordManager(write, undefined, sent);
  const object = view.accept(sent, undefined);
  const admission = admissionRun(write, object.metadata.name ?? '');
  const stored = await endpoint.store.create(writeScope(write, admission), object);
  context.trace?.ended('Write to database call succeeded');
  await respondObject(request, representation, 201, stored);
}
