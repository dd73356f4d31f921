/** What is known about a set-up. An absent fact could not be read, or does not apply. */
export interface Facts {
  /** The version of Node.js, such as `20.20.2`. */
  readonly nodeVersion: string;
  /** Wall time, in milliseconds since the epoch. */
  readonly now: number;
  /** Why the options or the files that they name cannot be used. */
  readonly optionsFault?: string | undefined;
  readonly port: PortFact;
  /** Absent: nothing is kept on disk. */
  readonly directory?: DirectoryFact | undefined;
  readonly certificates: readonly CertificateFact[];
  readonly etcd?: EtcdFact | undefined;
  readonly memory: { readonly limitBytes: number; readonly chosenBytes?: number | undefined };
  /** How many files and connections the process may have open. */
  readonly openFiles?: number | undefined;
}

export interface PortFact {
  readonly address: string;
  readonly port: number;
  /** Why no server can listen there: the code of the error, such as `EADDRINUSE`. */
  readonly errorCode?: string | undefined;
}

export interface DirectoryFact {
  readonly path: string;
  /** Why it cannot be used. */
  readonly fault?: string | undefined;
  /** Permission bits. Absent: the directory does not exist yet. */
  readonly mode?: number | undefined;
  /** When the newest file in it was written, in milliseconds since the epoch. */
  readonly newestFile?: number | undefined;
  readonly freeBytes?: number | undefined;
  readonly storeBytes?: number | undefined;
}

export interface CertificateFact {
  /** The flag or the file that it comes from. */
  readonly source: string;
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly validFrom: number;
  readonly validTo: number;
  /** Whether a start of the server replaces it before it expires. */
  readonly renewed: boolean;
}

export interface EtcdFact {
  readonly endpoints: string;
  /** Why it cannot be used. */
  readonly fault?: string | undefined;
  readonly sizeBytes?: number | undefined;
}
