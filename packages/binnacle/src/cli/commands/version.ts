import { readFileSync } from 'node:fs';

/** The Kubernetes version that the server implements. */
const kubernetesVersion = '1.36';

/** `binnacle version`. */
export function versionText(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const isObject = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return `Binnacle ${isObject ? String(manifest.version) : 'unknown'}, Kubernetes API ${kubernetesVersion}, Node ${process.version}\n`;
}
