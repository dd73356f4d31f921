/** The kit for Python as a user gets it: a wheel, Binnacle from npm's packages, and nothing of this repository. */
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { inEmptyFolder, installBinnacle, repository } from './kits.mjs';
import { hasPython, pythonWith, run, unlessAsked } from './programs.mjs';

const skip = unlessAsked('kits-python', hasPython(), 'there is no python3 with venv on the PATH');

it('the test kit for Python passes its suite', { skip, timeout: 10 * 60_000 }, () =>
  inEmptyFolder(async (folder) => {
    const source = join(repository, 'kits/python');
    const python = await pythonWith(join(source, 'requirements.txt'));
    await installBinnacle(folder);
    const [copy, wheels, packages] = ['source', 'wheels', 'packages'].map((name) => join(folder, name));
    mkdirSync(wheels);
    cpSync(source, copy, { recursive: true });
    const pip = (...parameters) => run(python, ['-m', 'pip', '--quiet', ...parameters]);
    await pip('wheel', '--no-deps', '--no-build-isolation', '--wheel-dir', wheels, copy);
    await pip('install', '--no-deps', '--target', packages, ...readdirSync(wheels).map((name) => join(wheels, name)));
    cpSync(join(copy, 'tests'), join(folder, 'tests'), { recursive: true });
    await run(python, ['-B', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'], {
      cwd: folder,
      env: { PYTHONPATH: packages, BINNACLE_PATH: '' },
    });
  }),
);
