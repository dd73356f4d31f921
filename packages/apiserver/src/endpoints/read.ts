import { negotiateRepresentation } from '../answers/index.js';
import {
  checkListOptions,
  decodeListOptions,
  demandOfGet,
  parseGetOptions,
  type RequestContext,
} from '../request/index.js';
import { stage } from '../slices/index.js';
import type { ObjectRequest, ResourceEndpoint } from './endpoint.js';
import { respondList, respondObject } from './representation.js';
import { listRequestOf, selectionOf } from './selection.js';
import { serveWatch } from './watch.js';

/** GET of one object. */
export async function getObject(request: ObjectRequest): Promise<void> {
  const { context, endpoint, view } = request;
  const representation = negotiateRepresentation(context, view.codec);
  const { namespace, name } = context.info;
  const { resourceVersion } = parseGetOptions(context.query);
  const stored = await endpoint.store.reader.get(namespace, name, demandOfGet(resourceVersion, endpoint.resource));
  context.trace?.ended('About to write a response');
  await respondObject(request, representation, 200, stored);
}

/** GET of a collection: a list, or a watch. */
export async function listObjects(context: RequestContext, endpoint: ResourceEndpoint): Promise<void> {
  const { codec } = endpoint.main;
  const representation = negotiateRepresentation(context, codec);
  const options = decodeListOptions(context.query);
  const selection = await selectionOf(endpoint, context.info, options);
  await stage();
  checkListOptions(options);
  if (context.info.verb === 'watch') {
    const streamed = negotiateRepresentation(context, codec, { stream: true });
    await serveWatch(context, endpoint, options, selection, streamed);
    return;
  }
  const releases: (() => void)[] = [];
  try {
    const answer = await endpoint.store.reader.list({
      ...listRequestOf(selection, options),
      signal: context.exchange.signal,
      hold: {
        reserve: (bytes) => context.reserveMemory(bytes),
        whenUsed: (release) => releases.push(release),
      },
    });
    context.trace?.ended('Listing from storage done');
    await respondList(context, endpoint, representation, answer);
  } finally {
    for (const release of releases) release();
  }
}
