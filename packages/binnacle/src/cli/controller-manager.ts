import { type ClientConfig, KubeconfigError, loadConfig } from '@binnacle/client/kubeconfig';
import { connect } from '@binnacle/client/transport';
import { type Identity, runLoops } from '@binnacle/controllers';
import { chooseLoops, ControllersError } from '@binnacle/controllers/table';
import { readFile } from 'node:fs/promises';
import { describeFileError } from '../files/index.js';
import type { ControllerManagerRequest } from './controller-manager-request.js';
import { untilStopped } from './shutdown.js';

/** `binnacle controller-manager`: resolves with the exit code when the control loops have stopped. */
export async function controllerManager(request: ControllerManagerRequest): Promise<number> {
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort(new Error('the control loops are stopping')));
  try {
    const loops = chooseLoops(request.controllers);
    if (loops.length === 0)
      throw new ControllersError('--controllers selects no control loop; leave the option out to run all');
    const config = await loadConfig(request.kubeconfig === undefined ? {} : { path: request.kubeconfig });
    const certificateAuthority = await rootCertificate(request, config);
    process.stdout.write(`Running ${loops.map(({ name }) => name).join(', ')} for ${config.server}\n`);
    await runLoops(
      {
        loops,
        // All control loops act as the kubeconfig's user. The user agent distinguishes them in logs and managed fields.
        connect: ({ userAgent }: Identity) => connect(config, { userAgent, onWarning: () => undefined }),
        certificateAuthority,
        report: (error, where) => complain(`${where}: ${messageOf(error)}`),
        leaderElection: request.leaderElect,
        loadBalancerIPRange: request.loadBalancerIPRange ?? '',
        settings: request.settings ?? {},
      },
      stopping.signal,
    );
    return 0;
  } catch (error) {
    complain(messageOf(error));
    return error instanceof ControllersError ? 2 : 1;
  }
}

async function rootCertificate({ rootCaFile }: ControllerManagerRequest, config: ClientConfig): Promise<string> {
  if (rootCaFile === undefined) return config.certificateAuthority ?? '';
  try {
    return await readFile(rootCaFile, 'utf8');
  } catch (error) {
    throw new KubeconfigError(`--root-ca-file ${rootCaFile}: ${describeFileError(error) ?? messageOf(error)}`, {
      cause: error,
    });
  }
}

function complain(text: string): void {
  process.stderr.write(`binnacle: ${text}\n`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
