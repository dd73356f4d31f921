import type { RequestContext } from '../../request/index.js';
const YAML_ERRORS = 'yaml: unmarshal errors:\n';

/** Warns of each strict decoding error. Those of YAML are lines of one text. */
export function warnOf(context: Pick<RequestContext, 'warn'>, strictErrors: readonly string[]): void {
  for (const text of strictErrors) {
    const lines = text.startsWith(YAML_ERRORS) ? text.slice(YAML_ERRORS.length).split('\n') : [text];
    for (const line of lines) context.warn(line.trim());
  }
}
