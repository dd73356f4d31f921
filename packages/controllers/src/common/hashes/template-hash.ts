import { asJson } from '@binnacle/apimachinery/meta';
import type { PodTemplateSpec } from '@binnacle/client/kinds/core/v1';
import { fnv32a, safeEncode } from './fnv.js';
import { goDump } from './go-dump.js';

/**
 * The `pod-template-hash` of a template. It equals upstream's, so that either controller manager continues the rollouts of the other. A collision count
 * changes it. Upstream: `ComputeHash`.
 */
export function templateHash(template: PodTemplateSpec, collisionCount: number | undefined): string {
  const text = Buffer.from(goDump('v1.PodTemplateSpec', asJson(template)));
  return safeEncode(fnv32a(collisionCount === undefined ? text : Buffer.concat([text, countBytes(collisionCount)])));
}

/** Eight bytes, of which upstream fills four. */
function countBytes(count: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeInt32LE(count);
  return bytes;
}
