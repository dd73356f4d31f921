import type { ServerResponse } from 'node:http';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Headers of all answers. */
const COMMON = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export const PAGE_HEADERS = { ...COMMON, 'content-security-policy': POLICY };
/** With `sandbox` and `default-src 'none'`, a browser never shows a forwarded answer as a page with rights. */
export const DATA_HEADERS = {
  ...COMMON,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

export function answerText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...DATA_HEADERS, 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

export function answerJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { ...DATA_HEADERS, 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
