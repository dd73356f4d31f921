/**
 * Builds Helm out of its sources, which the Go module proxy has, into .cache/helm. Needs Go 1.26 or newer; takes some minutes the first
 * time, and is therefore nothing that CI does. Prints the path of the binary.
 */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { goEnvironment } from './go.mjs';

export const helmVersion = 'v3.22.0';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const cache = resolve(fileURLToPath(import.meta.url), '../../.cache');
  const { status, error } = spawnSync('go', ['install', '-ldflags=-s -w', `helm.sh/helm/v3/cmd/helm@${helmVersion}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      ...goEnvironment,
      GOBIN: join(cache, 'helm'),
      GOFLAGS: '-modcacherw',
    },
  });
  if (status !== 0) {
    console.error(`fetch-helm: Helm was not built${error === undefined ? '' : `, for ${error.message}`}; see above`);
    process.exit(1);
  }
  console.log(join(cache, 'helm/helm'));
}
