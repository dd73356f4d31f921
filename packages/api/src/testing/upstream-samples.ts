import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Upstream's sample of one kind in one version, with each field set. */
export interface UpstreamSample {
  /** For example `core.v1.Pod`. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const folder = fileURLToPath(new URL('../../../../.cache/upstream-samples', import.meta.url));

/** Why tests of the samples cannot run here. False where they can, and in CI, which must have the samples. */
export const noUpstreamSamples: string | false =
  existsSync(folder) || process.env['CI'] === 'true'
    ? false
    : 'node scripts/fetch-upstream-samples.mjs fetches the samples';

export function upstreamSamples(): UpstreamSample[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const name = file.slice(0, -'.json'.length);
      const [, prefix = '', version = '', kind = ''] = /^(.+)\.(v[0-9][a-z0-9]*)\.([A-Za-z]+)$/.exec(name) ?? [];
      return { name, group: prefix === 'core' ? '' : prefix, version, kind };
    });
}

/** The bytes of a sample, which upstream has in three encodings. */
export const readSample = (name: string, encoding: 'json' | 'yaml' | 'pb'): Buffer =>
  readFileSync(join(folder, `${name}.${encoding}`));
