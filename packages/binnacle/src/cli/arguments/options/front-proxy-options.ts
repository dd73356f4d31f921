import type { ServeOption } from '../serve-option.js';

/** Proxies that name the users of their requests. The names are kube-apiserver's. */
export const frontProxyOptions: readonly ServeOption[] = [
  {
    name: 'requestheader-client-ca-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'requestheaderClientCAFile',
    default: "the server's own front-proxy authority, unless --proxy-client-cert-file is given",
    description: 'PEM file of the authorities of front proxies, which may name any user in request headers',
  },
  {
    name: 'requestheader-allowed-names',
    type: 'texts',
    placeholder: 'LIST',
    key: 'requestheaderAllowedNames',
    description:
      'common names of front proxies, separated by commas; without any, all certificates of those authorities count',
  },
  {
    name: 'requestheader-username-headers',
    type: 'texts',
    placeholder: 'LIST',
    key: 'requestheaderUsernameHeaders',
    description: 'headers in which a front proxy names the user, such as X-Remote-User; separated by commas',
  },
  {
    name: 'requestheader-uid-headers',
    type: 'texts',
    placeholder: 'LIST',
    key: 'requestheaderUidHeaders',
    description: 'headers in which a front proxy gives the UID of the user, such as X-Remote-Uid; separated by commas',
  },
  {
    name: 'requestheader-group-headers',
    type: 'texts',
    placeholder: 'LIST',
    key: 'requestheaderGroupHeaders',
    description:
      'headers in which a front proxy names the groups of the user, such as X-Remote-Group; separated by commas',
  },
  {
    name: 'requestheader-extra-headers-prefix',
    type: 'texts',
    placeholder: 'LIST',
    key: 'requestheaderExtraHeadersPrefix',
    description: 'prefixes of headers with extra attributes of the user, such as X-Remote-Extra-; separated by commas',
  },
];
