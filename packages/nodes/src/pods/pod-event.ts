/** An event that a node records about a pod. */
export interface PodEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Of the container that the event is about. */
  readonly fieldPath?: string;
}
