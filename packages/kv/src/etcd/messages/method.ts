/** A method of etcd's gRPC interface: its path, and the codecs of its messages. */
export interface Method<Request, Response> {
  readonly path: string;
  readonly encode: (request: Request) => Buffer;
  readonly decode: (message: Buffer) => Response;
  /** Idempotent, so it may be sent again if it is unknown whether it arrived. */
  readonly repeatable: boolean;
}
