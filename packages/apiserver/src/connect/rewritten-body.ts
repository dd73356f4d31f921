import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createDeflateRaw, createGunzip, createGzip, createInflateRaw } from 'node:zlib';
import { HtmlRewriter } from './html-rewriter.js';
import { type RewriteRules, rewriteUrl } from '../proxying/index.js';

export function isHtml(headers: IncomingHttpHeaders): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return type.trim() === 'text/html';
}

/**
 * A page with its links rewritten, piece by piece and in the encoding of the answer; undefined for an unknown encoding.
 * Upstream: `Transport.rewriteResponse`, where `deflate` is a stream without a head.
 */
export function rewrittenBody(message: IncomingMessage, rules: RewriteRules): Readable | undefined {
  const coders = codersOf(message.headers['content-encoding'] ?? '');
  if (coders === undefined) return undefined;
  const steps = [coders.decode, new HtmlRewriter((url) => rewriteUrl(url, rules)), coders.encode];
  let last: Readable = message;
  for (const step of steps) {
    // An error reaches the reader of the last step, because each error destroys the next one.
    if (step !== undefined) last = pipeline(last, step, () => undefined);
  }
  return last;
}

interface Coders {
  readonly decode: Transform | undefined;
  readonly encode: Transform | undefined;
}

function codersOf(encoding: string): Coders | undefined {
  switch (encoding) {
    case '':
      return { decode: undefined, encode: undefined };
    case 'gzip':
      return { decode: createGunzip(), encode: createGzip() };
    case 'deflate':
      return { decode: createInflateRaw(), encode: createDeflateRaw() };
    default:
      return undefined;
  }
}
