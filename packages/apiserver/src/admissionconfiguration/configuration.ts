import type { AdmissionSettings } from '../admission/index.js';
import type { ImageWebhook } from '../reviewwebhooks/index.js';
import type { RemoteServiceConfig, WebhookUsers } from '../webhooks/index.js';

/** What the administrator configures of admission plugins. */
export interface AdmissionConfiguration {
  readonly settings?: AdmissionSettings | undefined;
  /** The service of ImagePolicyWebhook. */
  readonly imagePolicy?: ImageWebhook | undefined;
  /** The credentials of this server for the webhooks of MutatingAdmissionWebhook and ValidatingAdmissionWebhook. */
  readonly mutatingUsers?: WebhookUsers | undefined;
  readonly validatingUsers?: WebhookUsers | undefined;
}

/** Reads the files that a configuration names. Each rejects with an Error that says what is wrong. */
export interface ConfigurationFiles {
  /** The text of a file; a relative path is beside the AdmissionConfiguration. */
  text(path: string): Promise<string>;
  /** The kubeconfig of a service. */
  service(path: string): Promise<RemoteServiceConfig>;
  /** The users of a kubeconfig. */
  users(path: string): Promise<WebhookUsers>;
}
