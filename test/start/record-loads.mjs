/** Hooks of node's module loader: writes down every module, before it is loaded. */
import { appendFileSync } from 'node:fs';

export function load(url, context, next) {
  appendFileSync(process.env.LOADS_RECORD, `${url}\n`);
  return next(url, context);
}
