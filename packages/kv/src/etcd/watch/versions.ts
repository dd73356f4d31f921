/**
 * Whether a member of this version answers explicit progress requests correctly. Upstream: etcd issues 15220 and 17507.
 */
export function hasReliableProgress(version: string): boolean {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (match === null) return false;
  const [major = 0, minor = 0, patch = 0] = match.slice(1).map(Number);
  if (major !== 3) return major > 3;
  if (minor === 4) return patch >= 31;
  if (minor === 5) return patch >= 13;
  return minor > 5;
}
