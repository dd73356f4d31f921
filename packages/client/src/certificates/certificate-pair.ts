/** PEM texts of a certificate and its private key. Generated keys are `EC PRIVATE KEY` (SEC 1). */
export interface CertificatePair {
  readonly certificate: string;
  readonly privateKey: string;
}
