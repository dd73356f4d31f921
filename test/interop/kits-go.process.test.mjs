/** The kit for Go as a user gets it: a module from a proxy, Binnacle from npm's packages, and nothing of this repository. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inEmptyFolder, installBinnacle, packGoModule, repository } from './kits.mjs';
import { goEnvironment, hasGo, run, unlessAsked } from './programs.mjs';

const MODULE = 'binnacle.dev/binnacletest';
/** controller-runtime is a thousand packages to build. */
const TIMEOUT_MS = 20 * 60_000;

const skip = unlessAsked('kits-go', hasGo(), 'there is no go on the PATH');

describe('the test kit for Go', { skip, timeout: TIMEOUT_MS }, () => {
  it('passes its suite, and runs a suite of envtest whose import has changed', () =>
    inEmptyFolder(async (folder) => {
      await installBinnacle(folder);
      const proxied = join(folder, 'proxy');
      mkdirSync(proxied);
      const { version, proxy } = await packGoModule('kits/go/binnacletest', MODULE, proxied);
      const usual = (await run('go', ['env', 'GOPROXY'])).trim();
      const env = {
        ...goEnvironment,
        GOFLAGS: '-mod=mod -modcacherw -vet=off',
        GOPROXY: `${proxy},${usual}`,
        GONOSUMDB: MODULE,
        BINNACLE_PATH: '',
      };
      // The suite must find the Binnacle that npm has installed in the parent folder.
      const cwd = join(folder, 'envtest-go');
      cpSync(join(repository, 'examples/envtest-go'), cwd, { recursive: true });
      const suite = join(cwd, 'suite_test.go');
      const before = readFileSync(suite, 'utf8');
      writeFileSync(suite, before.replace('"sigs.k8s.io/controller-runtime/pkg/envtest"', `"${MODULE}/envtest"`));
      await run('go', ['get', `${MODULE}@${version}`], { cwd, env });
      await run('go', ['test', '-count=1', './...', `${MODULE}/...`], { cwd, env });
    }));
});
