/** Where the operators come from: each module as it is, built with the versions that it names itself. */
import { join } from 'node:path';
import { cache, goEnvironment, run } from '../programs.mjs';

/** The folder of the built programs and their logs. */
export const binaries = join(cache, 'go/operators');

export const certManager = {
  // The last release with its programs in its module. In later ones each program is a module that no proxy has.
  name: 'github.com/cert-manager/cert-manager@v1.11.5',
  programs: ['./cmd/controller', './cmd/webhook', './cmd/cainjector'],
  output: join(binaries, 'cert-manager/'),
};

export const gatekeeper = {
  name: 'github.com/open-policy-agent/gatekeeper/v3@v3.23.1',
  programs: ['.'],
  output: join(binaries, 'gatekeeper'),
};

/** Builds the programs of a module, and resolves with the folder of its files. The first build takes minutes. */
export async function buildModule({ name, programs, output }) {
  const { Dir: folder } = JSON.parse(await run('go', ['mod', 'download', '-json', name], { env: goEnvironment }));
  await run('go', ['build', '-p', '2', '-ldflags=-s -w', '-o', output, ...programs], {
    cwd: folder,
    env: goEnvironment,
  });
  return folder;
}
