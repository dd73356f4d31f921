import { asJson } from '@binnacle/apimachinery/meta';
import { finish, type Steps } from '@binnacle/apimachinery/work';
import type { PodTemplateSpec } from '@binnacle/client/kinds/core/v1';
import { fnv32a, continueFnv32a, safeEncode } from './fnv.js';
import { goDumpInSteps } from './go-dump.js';

/** A few milliseconds of work. */
const BYTES_PER_STEP = 256 * 1024;

/** Hashes of templates, by the collision count. */
const prepared = new WeakMap<PodTemplateSpec, Map<number | undefined, string>>();

/**
 * The `pod-template-hash` of a template. It equals upstream's, so that either controller manager continues the rollouts of the other. A collision count
 * changes it. Upstream: `ComputeHash`.
 */
export function templateHash(template: PodTemplateSpec, collisionCount: number | undefined): string {
  return prepared.get(template)?.get(collisionCount) ?? finish(hashInSteps(template, collisionCount));
}

/** Computes a {@link templateHash} in steps. A later call with the same template object returns it at once. */
export function* prepareTemplateHash(template: PodTemplateSpec, collisionCount: number | undefined): Steps<void> {
  const known = prepared.get(template) ?? new Map<number | undefined, string>();
  if (!known.has(collisionCount)) known.set(collisionCount, yield* hashInSteps(template, collisionCount));
  prepared.set(template, known);
}

function* hashInSteps(template: PodTemplateSpec, collisionCount: number | undefined): Steps<string> {
  const text = Buffer.from(yield* goDumpInSteps('v1.PodTemplateSpec', asJson(template)));
  let hash = fnv32a(text.subarray(0, BYTES_PER_STEP));
  for (let at = BYTES_PER_STEP; at < text.length; at += BYTES_PER_STEP) {
    yield;
    hash = continueFnv32a(hash, text.subarray(at, at + BYTES_PER_STEP));
  }
  return safeEncode(collisionCount === undefined ? hash : continueFnv32a(hash, countBytes(collisionCount)));
}

/** Eight bytes, of which upstream fills four. */
function countBytes(count: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeInt32LE(count);
  return bytes;
}
