/** `binnacle/testing` as a user gets it, under vitest, jest and node:test, with `@kubernetes/client-node`, in an empty folder. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { inEmptyFolder, installBinnacle } from './kits.mjs';
import { here, run, unlessAsked } from './programs.mjs';

const packages = ['vitest@4.0.18', 'jest@30.2.0', '@kubernetes/client-node@1.4.0'];

const skip = unlessAsked('kits-node', true);

it('the test kit for TypeScript works under vitest, jest and node:test', { skip, timeout: 10 * 60_000 }, () =>
  inEmptyFolder(async (cwd) => {
    await installBinnacle(cwd);
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], { cwd });
    const source = join(here, 'kits-node');
    cpSync(join(source, 'suite.mjs'), join(cwd, 'suite.mjs'));
    for (const name of ['node', 'vitest', 'jest']) cpSync(join(source, `${name}.mjs`), join(cwd, `${name}.test.mjs`));
    await run(process.execPath, ['--test', 'node.test.mjs'], { cwd, env: { NODE_TEST_CONTEXT: '' } });
    await run('npx', ['vitest', 'run', 'vitest.test.mjs'], { cwd });
    await run(
      'npx',
      ['jest', '--testMatch', '**/jest.test.mjs', '--moduleFileExtensions', 'mjs', 'js', 'json', 'node'],
      {
        cwd,
        env: { NODE_OPTIONS: '--experimental-vm-modules' },
      },
    );
  }),
);
