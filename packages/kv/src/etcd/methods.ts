/** One call of etcd's gRPC interface: its path, and the forms of its messages. */
export interface Method<Request, Response> {
  readonly path: string;
  readonly encode: (request: Request) => Buffer;
  readonly decode: (message: Buffer) => Response;
  /** Doing it twice is doing it once, so that it may be sent again when nobody knows whether it arrived. */
  readonly repeatable: boolean;
}
