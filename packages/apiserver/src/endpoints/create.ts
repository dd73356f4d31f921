import { dropDuplicateOwners } from '../admission/index.js';
import { negotiateRepresentation } from '../answers/index.js';
import type { RequestContext } from '../http/index.js';
import { parseCreateOptions } from '../request/index.js';
import { readObject } from './body.js';
import type { KindLookup } from './wrong-kind.js';
import type { ResourceEndpoint } from './endpoint.js';
import { respondObject } from './representation.js';
import { admissionRun, recordManager, wipeSystemMetadata, writeScope } from './write-support.js';

/** POST to a collection. */
export async function createObject(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  kindExists: KindLookup,
): Promise<void> {
  const view = endpoint.main;
  const representation = negotiateRepresentation(context, view.codec);
  const options = parseCreateOptions(context.query);
  const sent = await readObject(context, view.codec, options.fieldValidation, kindExists);
  wipeSystemMetadata(sent.metadata);
  dropDuplicateOwners(sent.metadata, (text) => context.warn(text), 'before admission');
  await recordManager(context, endpoint, view, options, undefined, sent);
  const object = view.accept(sent, undefined);
  const admission = admissionRun(context, endpoint, view, options.dryRun, object.metadata.name ?? '');
  const stored = await endpoint.store.create(writeScope(context, options.dryRun), object, admission);
  await respondObject(context, endpoint, view, representation, 201, stored);
}
