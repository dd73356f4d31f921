/**
 * Compiles the Go programs of tests, so that CI can do it while other tests run: Kubernetes' clients are more than a thousand packages.
 * The tests would compile them too, and report failures. Does nothing without Go.
 */
import { spawnSync } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { hasGo, quickGoEnvironment, whileBuilding } from './go.mjs';
import { repositoryRoot } from './test-files.mjs';

/** Compiles packages and what they import, and links nothing. */
const compile = (folder, ...packages) =>
  spawnSync('go', ['list', '-export', '-deps', ...packages], {
    cwd: join(repositoryRoot, folder),
    env: { ...process.env, ...quickGoEnvironment },
    stdio: 'ignore',
  });

if (hasGo()) {
  setPriority(10);
  whileBuilding(() => {
    compile('test/interop/go', './clients', 'k8s.io/sample-controller');
    compile('examples/envtest-go', '-test', './...');
  });
}
