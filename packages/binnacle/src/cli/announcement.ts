import type { RunningBinnacle } from '../embed/index.js';

/** The three lines that a person needs: where it serves, how to reach it, where the data is. */
export function announcement(server: RunningBinnacle, secondsToReady: number): string {
  const lines = [
    `Serving the Kubernetes API at ${server.url} (ready in ${secondsToReady.toFixed(2)} s)`,
    `export KUBECONFIG=${quoteForShell(server.kubeconfigFile ?? '')}`,
    whereDataIs(server),
  ];
  return `${lines.join('\n')}\n`;
}

function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function whereDataIs({ etcdServers, dataDirectory }: RunningBinnacle): string {
  if (etcdServers !== undefined) return `Data in etcd at ${etcdServers}`;
  return dataDirectory === undefined ? 'Data in memory: gone when the server ends' : `Data in ${dataDirectory}`;
}
