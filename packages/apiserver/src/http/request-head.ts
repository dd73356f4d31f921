import type { IncomingMessage } from 'node:http';

/** The plain-text refusal of a request that no handler sees. */
export interface HeadProblem {
  readonly status: 400 | 431;
  readonly text: string;
}

/** The characters of a host and port. Upstream: `golang.org/x/net/http/httpguts` ValidHostHeader. */
const HOST = /^[A-Za-z0-9!$%&'()*+,\-.:;=[\]_~]*$/;

/**
 * Validates the head of an HTTP/1.1 request. It must name one host and have no more header lines than the limit. Extra
 * lines are not dropped, because the last one may be the header in which a proxy names the user. Upstream: Go's `net/http`.
 */
export function headProblem({ rawHeaders, httpVersion }: HeadLines, maxHeaderLines: number): HeadProblem | undefined {
  if (rawHeaders.length > 2 * maxHeaderLines) {
    return { status: 431, text: '431 Request Header Fields Too Large' };
  }
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && isHost(rawHeaders[index - 1] ?? ''));
  const [host] = hosts;
  if (hosts.length > 1) return { status: 400, text: '400 Bad Request' };
  if (host === undefined) {
    return httpVersion === '1.1' ? { status: 400, text: '400 Bad Request: missing required Host header' } : undefined;
  }
  return HOST.test(host) ? undefined : { status: 400, text: '400 Bad Request: malformed Host header' };
}

type HeadLines = Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>;

function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host';
}
