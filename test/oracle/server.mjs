import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@binnacle/apimachinery/clock';
import { parseCommandLine } from '../../packages/binnacle/dist/cli/arguments/command-line.js';
import { assemble } from '../../packages/binnacle/dist/embed/assemble.js';
import { defaultParts } from '../../packages/binnacle/dist/embed/start.js';

/** A scenario names an address that the server must not choose by chance. */
const SEED = 1;

/** The user of the recordings. A scenario with tokens of its own has none. */
const ADMIN = { token: 'admintoken', file: 'oracle-tokens.csv', text: 'admintoken,admin,admin,"system:masters"\n' };

/**
 * Starts a server like the recorded one: empty, with the same range of service addresses, and with the flags and control
 * loops of the scenario; without a scenario, with none.
 *
 * @param {Pick<import('./scenarios.mjs').Scenario, 'flags' | 'controllers'>} [scenario]
 * @returns {Promise<{ url: string, token: string, dir: string, stop(): Promise<void> }>} `dir`: the folder of the files that the
 *   server reads and writes
 */
export async function startServer({ flags, controllers } = { flags: { args: [], files: {} }, controllers: '' }) {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-oracle-'));
  const removeFolder = () => rm(folder, { recursive: true });
  try {
    const inFolder = (text) => text.replaceAll('${dir}', folder);
    for (const [file, text] of Object.entries(flags.files)) await writeFile(join(folder, file), inFolder(text));
    const request = parseCommandLine(['serve', ...flags.args.map(inFolder)]);
    if (request.command !== 'serve') throw new Error(request.text);
    const ownTokens = request.options.tokenAuthFile !== undefined;
    const tokenAuthFile = ownTokens ? request.options.tokenAuthFile : join(folder, ADMIN.file);
    if (!ownTokens) await writeFile(tokenAuthFile, ADMIN.text);
    const server = await assemble(
      {
        ...request.options,
        tokenAuthFile,
        inMemory: true,
        controllers,
        // No scheduler ran beside the recorded one.
        scheduler: false,
        securePort: 0,
        serviceClusterIPRange: '10.0.0.0/24',
        // The recorded server had kube-apiserver's default plugins.
        disableAdmissionPlugins: 'NodeRestriction',
        serviceAccountIssuers: ['https://kubernetes.default.svc'],
      },
      { ...defaultParts, random: seededRandom(SEED) },
    );
    const stop = async () => {
      await server.stop();
      await removeFolder();
    };
    return { url: server.url, token: ownTokens ? server.clientConfig.token : ADMIN.token, dir: folder, stop };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
