import type { RunningBinnacle } from '../../embed/index.js';

/** Three lines: the URL, the kubeconfig, the location of the data. */
export function announcement(server: RunningBinnacle, secondsToReady: number): string {
  const lines = [
    `Serving the Kubernetes API at ${server.url} (ready in ${secondsToReady.toFixed(2)} s)`,
    `export KUBECONFIG=${quoteForShell(server.kubeconfigFile ?? '')}`,
    dataLocation(server),
  ];
  return `${lines.join('\n')}\n`;
}

function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function dataLocation({ etcdServers, dataDirectory }: RunningBinnacle): string {
  if (etcdServers !== undefined) return `Data in etcd at ${etcdServers}`;
  return dataDirectory === undefined ? 'Data in memory: lost when the server stops' : `Data in ${dataDirectory}`;
}
