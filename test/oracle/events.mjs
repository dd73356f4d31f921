/** Bookmarks come at any time, except the annotated one that ends the initial events. */
export function withoutPeriodicBookmarks(body) {
  if (!Array.isArray(body)) return body;
  return body.filter((event) => event?.type !== 'BOOKMARK' || event.object?.metadata?.annotations);
}
