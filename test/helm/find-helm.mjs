import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../../..');

/** The helm that scripts/build-helm.mjs has built, or the one on the PATH: `{ path, version }`; undefined where there is none. */
export function findHelm() {
  for (const path of [resolve(root, '.cache/helm/helm'), 'helm']) {
    const { status, stdout } = spawnSync(path, ['version', '--template', '{{.Version}}'], { encoding: 'utf8' });
    if (status === 0) return { path, version: stdout.trim() };
  }
  return undefined;
}
