import { negotiateRepresentation } from '../answers/index.js';
import type { RequestContext } from '../http/index.js';
import { checkListOptions, decodeListOptions, type ListOptions, parseGetOptions } from '../request/index.js';
import type { ResourceEndpoint, View } from './endpoint.js';
import { respondList, respondObject } from './representation.js';
import { selectionOf } from './selection.js';
import { serveWatch } from './watch.js';

/** GET of one object. */
export async function getObject(context: RequestContext, endpoint: ResourceEndpoint, view: View): Promise<void> {
  const representation = negotiateRepresentation(context, view.codec);
  const { namespace, name } = context.info;
  const { resourceVersion } = parseGetOptions(context.query);
  const stored = await endpoint.store.reader.get(namespace, name, resourceVersion);
  await respondObject(context, endpoint, view, representation, 200, stored);
}

/** GET of a collection: a list, or a watch. */
export async function listObjects(context: RequestContext, endpoint: ResourceEndpoint): Promise<void> {
  const decoded = decodeListOptions(context.query);
  // The legacy path /api/v1/watch/... asks for a watch too, through the verb.
  const options: ListOptions = context.info.verb === 'watch' && !decoded.watch ? asWatch(decoded) : decoded;
  const representation = negotiateRepresentation(context, endpoint.main.codec, { stream: options.watch });
  const selection = selectionOf(endpoint, context.info, options);
  checkListOptions(options);
  if (options.watch) {
    await serveWatch(context, endpoint, options, selection, representation);
    return;
  }
  const match = options.resourceVersionMatch;
  const answer = await endpoint.store.reader.list({
    namespace: selection.namespace,
    filter: selection.filter,
    limit: Math.max(0, options.limit),
    continueToken: options.continue,
    resourceVersion: options.resourceVersion,
    ...(selection.name === undefined ? {} : { name: selection.name }),
    ...(match === 'Exact' || match === 'NotOlderThan' ? { match } : {}),
  });
  await respondList(context, endpoint, representation, answer);
}

function asWatch(options: ListOptions): ListOptions {
  const fromNowhere = options.resourceVersion === '' || options.resourceVersion === '0';
  const initial = fromNowhere && options.resourceVersionMatch === '' && options.sendInitialEvents === undefined;
  return initial
    ? { ...options, watch: true, resourceVersionMatch: 'NotOlderThan', sendInitialEvents: true }
    : { ...options, watch: true };
}
