import { type Authenticate, bearerToken, type Credentials } from '../authentication/index.js';
import type { Filter, RequestContext } from '../request/index.js';

/** Sets `context.user`. Answers 401 when the credentials are wrong. */
export function authentication(authenticate: Authenticate): Filter {
  return {
    name: 'authentication',
    enter: (context) => {
      const answer = authenticate(credentialsOf(context));
      if (answer instanceof Promise) {
        return answer.then((user) => {
          context.user = user;
          context.trace?.ended('Authentication done');
        });
      }
      context.user = answer;
      return undefined;
    },
  };
}

function credentialsOf(context: RequestContext): Credentials {
  const { headers, caller, peerCertificate, peerCertificateError, proxyCertificate } = context.exchange;
  const { token, warning } = bearerToken(headers);
  if (warning !== undefined) context.warn(warning);
  return {
    path: context.path,
    ...(caller === undefined ? {} : { caller }),
    ...(token === undefined ? {} : { bearerToken: token, notes: context }),
    ...(proxyCertificate === undefined
      ? {}
      : {
          frontProxy: {
            certificate: proxyCertificate,
            headerNames: Object.keys(headers),
            headerValues: (name: string) => context.exchange.headerValues(name),
          },
        }),
    ...(peerCertificate === undefined ? {} : { certificate: peerCertificate }),
    ...(peerCertificateError === undefined ? {} : { certificateError: peerCertificateError }),
  };
}
