import { kubernetesVersion } from '@binnacle/api/table';
import type { JsonObject } from '@binnacle/apimachinery/json';

/** Newest patch release of the Kubernetes version that the table is made from whose behaviour was compared with. */
const PATCH = 2;

const platforms: ReadonlyMap<string, string> = new Map([
  ['x64', 'amd64'],
  ['ia32', '386'],
  ['arm64', 'arm64'],
  ['arm', 'arm'],
]);

/**
 * The document of `/version`. Clients read `major`, `minor` and `gitVersion` (a semantic version: kubectl's skew check, Helm's
 * `kubeVersion`) as Kubernetes' own, so those are of the release that is served; `build` names this server in the version's build
 * part and is ours.
 */
export function versionInfo(build: string): JsonObject {
  const [major = '1', minor = '0'] = kubernetesVersion().split('.');
  const operatingSystem = process.platform === 'win32' ? 'windows' : process.platform;
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `v${major}.${minor}.${PATCH}+${build}`,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node-${process.version}`,
    compiler: 'v8',
    platform: `${operatingSystem}/${platforms.get(process.arch) ?? process.arch}`,
  };
}
