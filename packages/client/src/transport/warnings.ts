import { isUtf8 } from 'node:buffer';
import { describeRequest, type Send, type TransportRequest } from './exchange.js';

/** What the server has to say about a request that it answers all the same. */
export interface Warning {
  /** 299 in all that kube-apiserver sends. */
  readonly code: number;
  /** Who warns; `-` when they do not say. */
  readonly agent: string;
  readonly text: string;
}

export type WarningHandler = (warning: Warning, request: TransportRequest) => void;

/** Hands the warnings of every answer to a handler, before whoever sent the request has the answer. */
export function withWarnings(next: Send, handler: WarningHandler): Send {
  return async (request, options) => {
    const response = await next(request, options);
    const header = response.headers['warning'];
    if (header !== undefined) for (const warning of parseWarnings(header)) handler(warning, request);
    return response;
  };
}

const MOST_REMEMBERED = 1000;

/** Emits each text once as a warning of this process; `process.on('warning')` hears it, and by default it is printed. */
export function warnOnce(): WarningHandler {
  const seen = new Set<string>();
  return ({ text }, request) => {
    if (seen.has(text) || seen.size >= MOST_REMEMBERED) return;
    seen.add(text);
    process.emitWarning(text, { type: 'KubernetesWarning', detail: describeRequest(request) });
  };
}

/** Code, agent, quoted text, perhaps a quoted date: what RFC 9111 has, and lists of it. What follows something else is left out. */
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

/** Node reads headers as Latin-1, and servers write UTF-8, most of them. */
function utf8(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  return bytes.toString('latin1') === text && isUtf8(bytes) ? bytes.toString('utf8') : text;
}
