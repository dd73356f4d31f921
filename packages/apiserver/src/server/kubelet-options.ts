import type { KubeletAddressing, KubeletTrust } from '../connect/index.js';

/** How the server finds kubelets, and how they and it recognise each other. */
export interface KubeletOptions extends KubeletAddressing, KubeletTrust {
  /** The user of the client certificate, if this server issued it: that user may use the API of kubelets. */
  readonly userName: string | undefined;
}

/** Those that are undefined have upstream's defaults. */
export type PartialKubeletOptions = { readonly [K in keyof KubeletOptions]?: KubeletOptions[K] | undefined };

/** Upstream: the defaults of kube-apiserver's `--kubelet-*`. */
export const defaultKubelets: KubeletOptions = {
  preferredAddressTypes: ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'],
  port: 10_250,
  timeoutMs: 5000,
  client: undefined,
  authority: undefined,
  userName: undefined,
};

export function kubeletsWithDefaults(given: PartialKubeletOptions = {}): KubeletOptions {
  return {
    preferredAddressTypes: given.preferredAddressTypes ?? defaultKubelets.preferredAddressTypes,
    port: given.port ?? defaultKubelets.port,
    timeoutMs: given.timeoutMs ?? defaultKubelets.timeoutMs,
    client: given.client,
    authority: given.authority,
    userName: given.userName,
  };
}
