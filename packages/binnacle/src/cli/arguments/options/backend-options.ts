import type { ServeOption } from '../serve-option.js';

/** The servers that this one calls: kubelets, extension API servers and webhooks. */
export const backendOptions: readonly ServeOption[] = [
  {
    name: 'proxy-client-cert-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'proxyClientCertFile',
    default: "a certificate issued by the server's own front-proxy authority",
    description: 'PEM file of the client certificate with which this server calls extension API servers',
  },
  {
    name: 'proxy-client-key-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'proxyClientKeyFile',
    description: 'PEM file of the private key for --proxy-client-cert-file',
  },
  {
    name: 'kubelet-client-certificate',
    type: 'text',
    placeholder: 'FILE',
    key: 'kubeletClientCertificate',
    default: "a certificate issued by the server's own authority",
    description: 'PEM file of the client certificate with which this server calls kubelets',
  },
  {
    name: 'kubelet-client-key',
    type: 'text',
    placeholder: 'FILE',
    key: 'kubeletClientKey',
    description: 'PEM file of the private key for --kubelet-client-certificate',
  },
  {
    name: 'kubelet-certificate-authority',
    type: 'text',
    placeholder: 'FILE',
    key: 'kubeletCertificateAuthority',
    description: "PEM file of the authorities that sign kubelets' certificates; without it, these are not verified",
  },
  {
    name: 'kubelet-preferred-address-types',
    type: 'texts',
    placeholder: 'LIST',
    key: 'kubeletPreferredAddressTypes',
    default: 'Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP',
    description: 'types of node addresses at which to call kubelets, in order of preference; separated by commas',
  },
  {
    name: 'kubelet-port',
    type: 'port',
    placeholder: 'PORT',
    key: 'kubeletPort',
    default: '10250',
    description: 'port of a kubelet whose node reports none',
  },
  {
    name: 'kubelet-timeout',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'kubeletTimeoutMs',
    default: '5s',
    description: 'how long connecting to a kubelet may take',
  },
  {
    name: 'enable-aggregator-routing',
    type: 'switch',
    key: 'enableAggregatorRouting',
    default: 'true',
    description:
      "call services of webhooks and APIServices at their endpoints, if they have any, and not at their cluster IPs; kube-apiserver's default is false, for hosts that route cluster IPs",
  },
  {
    name: 'egress-deny-cidrs',
    type: 'text',
    placeholder: 'LIST',
    key: 'egressDenyCidrs',
    description:
      'networks that the server never connects to for webhooks and extension API servers; CIDRs separated by commas. Link-local and cloud metadata addresses are always denied',
  },
];
