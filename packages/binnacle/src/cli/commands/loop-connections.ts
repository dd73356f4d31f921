import { systemClock } from '@binnacle/apimachinery/clock';
import { DynamicClient } from '@binnacle/client/dynamic';
import type { ClientConfig } from '@binnacle/client/kubeconfig';
import { connect, type Transport, type TransportObserver } from '@binnacle/client/transport';
import { accountCredentials, type Identity } from '@binnacle/controllers';

interface LoopConnectionsOptions {
  readonly useAccounts: boolean;
  readonly observer: TransportObserver;
}

/**
 * Connections of control loops to the server of a kubeconfig, as its user. With `useAccounts`, each loop acts as its
 * service account, with tokens that the user requests. The user agent distinguishes loops in logs and managed fields.
 */
export class LoopConnections implements AsyncDisposable {
  readonly #config: ClientConfig;
  readonly #useAccounts: boolean;
  readonly #observer: TransportObserver;
  readonly #forTokens: Transport;

  constructor(config: ClientConfig, { useAccounts, observer }: LoopConnectionsOptions) {
    this.#config = config;
    this.#useAccounts = useAccounts;
    this.#observer = observer;
    this.#forTokens = connect(config, { userAgent: 'kube-controller-manager/binnacle/tokens', observer });
  }

  /** The caller closes the transport. */
  open({ userAgent, serviceAccount }: Identity): Transport {
    const options = { userAgent, onWarning: () => undefined, observer: this.#observer };
    if (!this.#useAccounts || serviceAccount === undefined) return connect(this.#config, options);
    const credentials = accountCredentials(new DynamicClient(this.#forTokens), serviceAccount, systemClock);
    return connect({ ...withoutCredentials(this.#config), credentials }, options);
  }

  /** Accounts get no further tokens. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#forTokens.close();
  }
}

/** The part of a kubeconfig that concerns the server, without any user. Upstream: client-go `rest.AnonymousClientConfig`. */
function withoutCredentials(config: ClientConfig): ClientConfig {
  const { server, certificateAuthority, tlsServerName, insecureSkipTlsVerify, proxyUrl, disableCompression } = config;
  return { server, certificateAuthority, tlsServerName, insecureSkipTlsVerify, proxyUrl, disableCompression };
}
