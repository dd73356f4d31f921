import { isUtf8 } from 'node:buffer';
import { describeRequest, type Send, type TransportRequest } from './exchange.js';

/** A Warning header. The server has carried out the request. */
export interface Warning {
  /** Always 299 from kube-apiserver. */
  readonly code: number;
  /** The agent; `-` if it is not named. */
  readonly agent: string;
  readonly text: string;
}

export type WarningHandler = (warning: Warning, request: TransportRequest) => void;

/** Passes the warnings of each response to a handler, before the caller gets the response. */
export function withWarnings(next: Send, handler: WarningHandler): Send {
  return async (request, options) => {
    const response = await next(request, options);
    const header = response.headers['warning'];
    if (header !== undefined) for (const warning of parseWarnings(header)) handler(warning, request);
    return response;
  };
}

const MOST_REMEMBERED = 1000;

/** Emits each text once as a process warning, which Node prints by default. */
export function warnOnce(): WarningHandler {
  const seen = new Set<string>();
  return ({ text }, request) => {
    if (seen.has(text) || seen.size >= MOST_REMEMBERED) return;
    seen.add(text);
    process.emitWarning(text, { type: 'KubernetesWarning', detail: describeRequest(request) });
  };
}

/** Parses a list of warnings as in RFC 7234: code, agent, quoted text, optional quoted date. Stops at the first malformed one. */
const oneWarning = /\s*(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"(?: "[^"]*")?\s*(?:,|$)/y;

export function parseWarnings(header: string): Warning[] {
  const warnings: Warning[] = [];
  oneWarning.lastIndex = 0;
  for (let match = oneWarning.exec(header); match !== null; match = oneWarning.exec(header)) {
    const [, code = '', agent = '-', quoted = ''] = match;
    warnings.push({ code: Number(code), agent, text: utf8(quoted.replaceAll(/\\(.)/gs, '$1')) });
    if (oneWarning.lastIndex >= header.length) break;
  }
  return warnings;
}

/** Node decodes headers as Latin-1, but most servers send UTF-8. */
function utf8(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  return bytes.toString('latin1') === text && isUtf8(bytes) ? bytes.toString('utf8') : text;
}
