import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The build writes it: `scripts/code-fingerprint.mjs`. */
const file = new URL('../../dist/codec/code-fingerprint.json', import.meta.url);
let built: string | undefined;

/**
 * A number from 1 on that is another one for another `form`, a document, or other code, but for one in four billion. Stored values bear it;
 * what bears the same one is canonical.
 */
export function formFingerprint(form: unknown, code = (built ??= builtCode())): number {
  const digest = createHash('sha256').update(code).update('\0').update(JSON.stringify(form, plain)).digest();
  return digest.readUInt32BE(0) || 1;
}

function builtCode(): string {
  return (JSON.parse(readFileSync(file, 'utf8')) as { code: string }).code;
}

/** Schemas have maps, and integers that JSON has no numbers for. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Map) return [...value];
  return typeof value === 'bigint' ? `${value}n` : value;
}
