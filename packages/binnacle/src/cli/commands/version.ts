import { readFileSync } from 'node:fs';

/** The Kubernetes version that the server implements. */
const kubernetesVersion = '1.36';

/** `binnacle version`: a line, or a JSON object with `output`. */
export function versionText(output?: 'json'): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const isObject = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  const binnacle = isObject ? String(manifest.version) : 'unknown';
  const { version: node } = process;
  if (output === 'json') return `${JSON.stringify({ binnacle, kubernetes: kubernetesVersion, node })}\n`;
  return `Binnacle ${binnacle}, Kubernetes API ${kubernetesVersion}, Node ${node}\n`;
}
