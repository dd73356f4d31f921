import { featureGates } from '@binnacle/apiserver/features';
import type { ServeOption } from '../serve-option.js';

/** Which APIs and features are on, and what is admitted. */
export const admissionOptions: readonly ServeOption[] = [
  {
    name: 'runtime-config',
    type: 'text',
    placeholder: 'LIST',
    key: 'runtimeConfig',
    description:
      'APIs to turn on or off: api/all|ga|beta|alpha, group/version or group/version/resource, each =true or =false; separated by commas',
  },
  {
    name: 'feature-gates',
    type: 'text',
    placeholder: 'LIST',
    key: 'featureGates',
    description: `features to turn on or off, each =true or =false, separated by commas; AllAlpha and AllBeta set a whole stage. Known: ${featureGates.map(({ name, stage, isOnByDefault }) => `${name} (${stage}, default ${isOnByDefault})`).join(', ')}`,
  },
  {
    name: 'enable-admission-plugins',
    type: 'text',
    placeholder: 'LIST',
    key: 'enableAdmissionPlugins',
    description: 'admission plugins to turn on in addition to the default ones, separated by commas',
  },
  {
    name: 'disable-admission-plugins',
    type: 'text',
    placeholder: 'LIST',
    key: 'disableAdmissionPlugins',
    description: 'admission plugins to turn off, such as ServiceAccount, separated by commas',
  },
  {
    name: 'admission-control-config-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'admissionControlConfigFile',
    description:
      'file with an AdmissionConfiguration, which configures plugins such as PodSecurity, EventRateLimit and ImagePolicyWebhook',
  },
  {
    name: 'allow-privileged',
    type: 'switch',
    key: 'allowPrivileged',
    default: 'true',
    description:
      "allow privileged containers; kube-apiserver's default is false, and kubeadm, kind, k3s and envtest set true",
  },
];
