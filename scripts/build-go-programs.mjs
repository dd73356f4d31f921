/**
 * Builds what tests need of Go, so that CI can do it beside tests that need none: Kubernetes' clients are more than a thousand packages.
 * The tests would build it as well, and say what is wrong with it. Does nothing without Go.
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
    // Built, and run by a program that does nothing with it.
    ['examples/envtest-go', 'test', '-exec=true', './...'],
  ]) {
    spawnSync('go', command, {
      cwd: join(repositoryRoot, folder),
      env: { ...process.env, ...goEnvironment },
      stdio: 'ignore',
    });
  }
}
