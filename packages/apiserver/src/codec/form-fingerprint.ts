import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Written by the build: `scripts/code-fingerprint.mjs`. */
const file = new URL('../../dist/codec/code-fingerprint.json', import.meta.url);
let built: string | undefined;

/**
 * A number from 1 on that changes with `form`, a document, and with the code; two forms collide once in four billion.
 * A stored value with the same number is canonical.
 */
export function formFingerprint(form: unknown, code = (built ??= builtCode())): number {
  const digest = createHash('sha256').update(code).update('\0').update(JSON.stringify(form, plain)).digest();
  return digest.readUInt32BE(0) || 1;
}

function builtCode(): string {
  return (JSON.parse(readFileSync(file, 'utf8')) as { code: string }).code;
}

/** Schemas contain maps, and integers beyond JSON's numbers. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Map) return [...value];
  return typeof value === 'bigint' ? `${value}n` : value;
}
