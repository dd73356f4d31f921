import { bodyOf, collectionPath, keyOf, revisionOf, selectors } from '../resources.mjs';
import { LostError } from './http2-client.mjs';

/**
 * Lists page by page, and records the pages. Continues inconsistently after a 410 with a token. Resolves the entry;
 * `between()` is awaited between pages.
 */
export async function list({ client, history, name, resource, scope, demand = '', match = '', limit = 0, between }) {
  const { namespace, selector } = scope;
  const pages = [];
  const entry = history.add({
    type: 'list',
    client: name,
    resource: resource.name,
    namespace,
    selector,
    demand,
    match,
    limit,
    pages,
  });
  const first = {
    ...(demand === '' ? {} : { resourceVersion: demand }),
    ...(match === '' ? {} : { resourceVersionMatch: match }),
  };
  let token = '';
  do {
    const page = { invoked: history.tick(), continued: token !== '', outcome: 'unknown' };
    pages.push(page);
    const query = {
      ...selectors[selector].query,
      ...(limit === 0 ? {} : { limit: String(limit) }),
      ...(token === '' ? first : { continue: token }),
    };
    try {
      const { status, body } = await client.request('GET', collectionPath(resource, namespace), query);
      page.returned = history.tick();
      page.status = status;
      token = body.metadata?.continue ?? '';
      if (status === 200) notePage(history, resource, page, body);
      else
        Object.assign(page, { outcome: 'refused', reason: body.reason, message: body.message, restarts: token !== '' });
      page.more = token !== '';
    } catch (error) {
      if (!(error instanceof LostError)) throw error;
      break;
    }
    if (token !== '') await between?.();
  } while (token !== '' && pages.length < 100);
  return entry;
}

function notePage(history, resource, page, body) {
  page.outcome = 'answered';
  page.revision = Number(body.metadata.resourceVersion);
  page.remaining = body.metadata.remainingItemCount;
  page.items = body.items.map((object) => [
    keyOf(object),
    revisionOf(object),
    history.intern(bodyOf(resource, object)),
  ]);
}
