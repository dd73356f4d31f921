/**
 * Builds Helm from its sources in the Go module proxy, into .cache/helm. Needs Go 1.26 or newer. CI does not run it, because the first
 * time takes some minutes. Prints the path of the binary.
 */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWithGo } from './go.mjs';

export const helmVersion = 'v3.22.0';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(fileURLToPath(import.meta.url), '../../.cache/helm');
  buildWithGo('Helm', ['install', '-ldflags=-s -w', `helm.sh/helm/v3/cmd/helm@${helmVersion}`], {
    env: { GOBIN: folder, GOFLAGS: '-modcacherw' },
  });
  console.log(join(folder, 'helm'));
}
