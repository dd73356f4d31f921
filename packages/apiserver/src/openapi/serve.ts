import { acceptsGzip, writeResponse } from '../http/index.js';
import type { RequestContext } from '../request/index.js';
import type { StoredDocument } from './document-cache.js';

/**
 * Serves a document with an ETag, like Go's `http.ServeContent`: 304 if the client has the document. `headers` are
 * the content type and related headers.
 */
export async function serveDocument(
  context: RequestContext,
  document: StoredDocument,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const etag = `"${document.hash}"`;
  const { headers: request } = context.exchange;
  if (matches(request['if-none-match'], etag)) {
    const kept = Object.entries(headers).filter(([name]) => name !== 'content-type');
    await writeResponse(context, 304, { ...Object.fromEntries(kept), etag }, '');
    return;
  }
  const { gzip } = document;
  if (gzip !== undefined && acceptsGzip(request['accept-encoding'])) {
    const vary = headers['vary'] === undefined ? 'Accept-Encoding' : `${headers['vary']}, Accept-Encoding`;
    await writeResponse(context, 200, { ...headers, etag, 'content-encoding': 'gzip', vary }, gzip);
    return;
  }
  await writeResponse(context, 200, { ...headers, etag }, await document.plain());
}

/** Whether `if-none-match` contains the tag, weak or strong, or `*`. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}
