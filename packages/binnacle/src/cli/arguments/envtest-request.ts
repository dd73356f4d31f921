import type { Program } from '../../envtest/index.js';

/** The arguments of `binnacle envtest`. */
export type EnvtestRequest =
  | { readonly action: 'assets'; readonly directory?: string }
  | { readonly action: 'run'; readonly program: Program; readonly args: readonly string[] };

export const envtestDescription = 'run the suites of envtest, unmodified, on Binnacle';
export const assetsDescription =
  'write a folder for KUBEBUILDER_ASSETS, and print its path: programs kube-apiserver and etcd that are Binnacle, and a link to kubectl';
export const assetsDirectoryDefault = '$XDG_CACHE_HOME/binnacle/envtest, or ~/.cache/binnacle/envtest';
export const programDescription = (program: Program): string => `what the ${program} of this folder runs`;
