/**
 * Builds the Go programs of tests, so that CI can do it while other tests run: Kubernetes' clients are more than a thousand packages.
 * The tests would build them too, and report failures. Does nothing without Go.
 */
import { spawnSync } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { goEnvironment, hasGo } from './go.mjs';
import { repositoryRoot } from './test-files.mjs';

if (hasGo()) {
  setPriority(10);
  for (const [folder, ...command] of [
    ['test/interop/go', 'build', './clients', 'k8s.io/sample-controller'],
    // Builds the program, and passes it to one that ignores it.
    ['examples/envtest-go', 'test', '-exec=true', './...'],
  ]) {
    spawnSync('go', command, {
      cwd: join(repositoryRoot, folder),
      env: { ...process.env, ...goEnvironment },
      stdio: 'ignore',
    });
  }
}
