import type { ExportTarget } from '../../history/requests/index.js';
import { invalid } from './option-values.js';

/** Where `binnacle export` reads and writes; undefined: it prints. Throws for options that exclude each other. */
export function readExportTarget(
  text: (name: string) => string | undefined,
  flag: (name: string) => boolean,
): ExportTarget | undefined {
  const to = destinationOf(text);
  const [path, context, dryRun, output] = [text('from'), text('context'), text('dryRun'), text('output')];
  const overwrite = flag('overwrite');
  if (to === undefined) {
    const needing = { '--from': path, '--context': context, '--dry-run': dryRun, '--output': output };
    const given = Object.entries(needing).find(([, value]) => value !== undefined)?.[0];
    if (given !== undefined || overwrite)
      throw invalid(`${given ?? '--overwrite'} needs --to, --to-snapshot, --to-kubeconfig or --to-context`);
    return undefined;
  }
  if (!('server' in to) && (overwrite || dryRun !== undefined)) {
    throw invalid('--to and --to-snapshot exclude --overwrite and --dry-run');
  }
  if (path !== undefined && context !== undefined) throw invalid('--from and --context exclude each other');
  if (dryRun !== undefined && dryRun !== 'server') throw invalid(`--dry-run ${JSON.stringify(dryRun)} is not server`);
  if (output !== undefined && output !== 'json') throw invalid(`--output ${JSON.stringify(output)} is not json`);
  return {
    from: path === undefined ? (context === undefined ? {} : { context }) : { path },
    to,
    withSecrets: flag('secrets'),
    overwrite,
    dryRun: dryRun !== undefined,
    ...(output === undefined ? {} : { output }),
  };
}

function destinationOf(text: (name: string) => string | undefined): ExportTarget['to'] | undefined {
  const [folder, snapshot, kubeconfig, context] = [
    text('to'),
    text('toSnapshot'),
    text('toKubeconfig'),
    text('toContext'),
  ];
  const toServer = kubeconfig !== undefined || context !== undefined;
  if ([folder !== undefined, snapshot !== undefined, toServer].filter(Boolean).length > 1) {
    throw invalid('--to, --to-snapshot and the options of another server exclude each other');
  }
  if (folder !== undefined) return { folder };
  if (snapshot !== undefined) return { snapshot };
  if (!toServer) return undefined;
  const server = {
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
  return { server };
}
