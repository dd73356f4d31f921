import { ConfigurationError, kind, readConfiguration, text } from '@binnacle/apimachinery/configuration';
import { formatFieldErrors, forbiddenField, invalidValue } from '@binnacle/apimachinery/status';
import { isAbsolute } from 'node:path';
import type { WebhookUsers } from '../webhooks/index.js';
import type { AdmissionConfiguration, ConfigurationFiles } from './configuration.js';
import { readEventLimits } from './event-limits.js';
import { readImagePolicy } from './image-policy.js';
import { readLimitedResources } from './limited-resources.js';
import { readNodeSelectors } from './node-selectors.js';
import { readPodSecurity } from './pod-security.js';
import { readTolerations } from './tolerations.js';

/** Reads the configuration of one plugin. Throws or rejects with an Error that says what is wrong. */
type PluginReader = (
  source: string,
  files: ConfigurationFiles,
) => AdmissionConfiguration | Promise<AdmissionConfiguration>;

/** The plugins that have a configuration. */
export const pluginReaders: ReadonlyMap<string, PluginReader> = new Map<string, PluginReader>([
  ['PodSecurity', (source) => ({ settings: { podSecurity: readPodSecurity(source) } })],
  ['EventRateLimit', (source) => ({ settings: { eventLimits: readEventLimits(source) } })],
  ['ResourceQuota', (source) => ({ settings: { limitedResources: readLimitedResources(source) } })],
  ['PodNodeSelector', (source) => ({ settings: { nodeSelectors: readNodeSelectors(source) } })],
  ['PodTolerationRestriction', (source) => ({ settings: { tolerations: readTolerations(source) } })],
  ['ImagePolicyWebhook', async (source, files) => ({ imagePolicy: await readImagePolicy(source, files) })],
  ['MutatingAdmissionWebhook', async (source, files) => ({ mutatingUsers: await readUsers(source, files) })],
  ['ValidatingAdmissionWebhook', async (source, files) => ({ validatingUsers: await readUsers(source, files) })],
  ['MutatingAdmissionPolicy', (source) => readPolicies('MutatingAdmissionPolicyConfiguration', source)],
  ['ValidatingAdmissionPolicy', (source) => readPolicies('ValidatingAdmissionPolicyConfiguration', source)],
]);

const webhookAdmission = kind('v1.WebhookAdmission', { kubeConfigFile: text, staticManifestsDir: text });
const webhookKinds = new Map([['apiserver.config.k8s.io/v1/WebhookAdmissionConfiguration', webhookAdmission]]);

/** Upstream: apiserver `pkg/admission/plugin/webhook/config`. */
async function readUsers(source: string, files: ConfigurationFiles): Promise<WebhookUsers | undefined> {
  const read: { kubeConfigFile?: string; staticManifestsDir?: string } = readConfiguration(source, webhookKinds);
  const { kubeConfigFile: path = '', staticManifestsDir } = read;
  if (path !== '' && !isAbsolute(path)) {
    const fault = invalidValue('kubeConfigFile', path, 'must be an absolute file path');
    throw new ConfigurationError(formatFieldErrors([fault]));
  }
  refuseManifests(staticManifestsDir);
  return path === '' ? undefined : files.users(path);
}

/** Upstream: apiserver `pkg/admission/plugin/policy/config`. */
function readPolicies(name: string, source: string): AdmissionConfiguration {
  const kinds = new Map([[`apiserver.config.k8s.io/v1/${name}`, kind(`v1.${name}`, { staticManifestsDir: text })]]);
  const { staticManifestsDir }: { staticManifestsDir?: string } = readConfiguration(source, kinds);
  refuseManifests(staticManifestsDir);
  return {};
}

/** The feature is not built, as if its gate were off. */
function refuseManifests(directory = ''): void {
  if (directory === '') return;
  const what = 'staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled';
  throw new ConfigurationError(formatFieldErrors([forbiddenField('staticManifestsDir', what)]));
}
