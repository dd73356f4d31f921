import { isIP } from 'node:net';
import type { Command } from 'commander';
import { invalid, kubeconfigOption, parseSwitch, textOption, valueOption, type ValueParser } from './option-values.js';
import { loadBalancerIPRangeDescription, loopOptions, type LoopValues } from './options/loop-options.js';
import { startOptionsOf, toCommanderOption } from './serve-option.js';

/** Where to listen. Port 0 is any free one. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** The arguments of `binnacle controller-manager`. */
export interface ControllerManagerRequest {
  /** Default: found like kubectl's. */
  readonly kubeconfig?: string;
  readonly controllers: string;
  readonly leaderElect: boolean;
  readonly useServiceAccountCredentials?: boolean;
  readonly rootCaFile?: string;
  readonly serviceAccountPrivateKeyFile?: string;
  readonly loadBalancerIPRange?: string;
  readonly healthAddress?: HostAndPort;
  readonly settings?: LoopValues;
}

/** As commander spells the names of the options. */
interface Values extends Partial<Omit<ControllerManagerRequest, 'loadBalancerIPRange' | 'healthAddress' | 'settings'>> {
  readonly healthzBindAddress?: HostAndPort;
  readonly loadBalancerIpRange?: string;
}

const hostAndPort: ValueParser<HostAndPort> = (name) => (text) => {
  const [, inBrackets, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):([0-9]{1,5})$/i.exec(text) ?? [];
  const host = inBrackets ?? plain ?? '';
  const port = Number(digits);
  if (isIP(host) === (inBrackets === undefined ? 4 : 6) && port <= 65535) return { host, port };
  throw invalid(
    `--${name} ${JSON.stringify(text)} is not an address: give IP:PORT, such as 127.0.0.1:10257 or [::1]:10257`,
  );
};

export function defineControllerManager(program: Command, found: (request: ControllerManagerRequest) => void): void {
  const command = program
    .command('controller-manager')
    .description('run only the control loops, against the server of a kubeconfig, until SIGTERM or SIGINT')
    .addOption(kubeconfigOption('server and user of the control loops'))
    .option(
      '--controllers <LIST>',
      'control loops to run, separated by commas: * for all, a name to add one, -name to leave one out (default: *)',
    )
    .addOption(
      valueOption(
        '--healthz-bind-address <IP:PORT>',
        'address for /healthz and /metrics over plain HTTP, such as 127.0.0.1:10257 (default: none)',
        hostAndPort,
      ),
    )
    .addOption(
      valueOption(
        '--leader-elect [BOOLEAN]',
        'run only while holding the Lease kube-system/kube-controller-manager (default: true)',
        parseSwitch,
      ),
    )
    .addOption(
      valueOption(
        '--use-service-account-credentials [BOOLEAN]',
        "let each control loop act as its own service account in kube-system, with upstream's rights (default: false)",
        parseSwitch,
      ),
    )
    .addOption(
      textOption(
        '--root-ca-file <FILE>',
        "PEM file of the authority that clients in the cluster trust (default: the kubeconfig's)",
      ),
    )
    .option('--load-balancer-ip-range <CIDR>', loadBalancerIPRangeDescription)
    .addOption(
      textOption(
        '--service-account-private-key-file <FILE>',
        'PEM file of the private key that signs the tokens in Secrets of service accounts; without it, they get none',
      ),
    );
  for (const option of loopOptions) command.addOption(toCommanderOption(option));
  command.action((values: Values) => found(toRequest(values, startOptionsOf(loopOptions, command.opts()))));
}

function toRequest(values: Values, settings: LoopValues): ControllerManagerRequest {
  const { kubeconfig, controllers = '*', leaderElect = true, useServiceAccountCredentials } = values;
  const { rootCaFile, serviceAccountPrivateKeyFile, loadBalancerIpRange, healthzBindAddress } = values;
  return {
    controllers,
    leaderElect,
    ...(useServiceAccountCredentials === undefined ? {} : { useServiceAccountCredentials }),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(healthzBindAddress === undefined ? {} : { healthAddress: healthzBindAddress }),
    ...(rootCaFile === undefined ? {} : { rootCaFile }),
    ...(serviceAccountPrivateKeyFile === undefined ? {} : { serviceAccountPrivateKeyFile }),
    ...(loadBalancerIpRange === undefined ? {} : { loadBalancerIPRange: loadBalancerIpRange }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
}
