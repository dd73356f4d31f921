package interop;

import static interop.Failure.equal;
import static interop.Failure.eventually;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a watch or an informer has told, as text, in order. */
final class Events<T extends HasMetadata> implements Watcher<T>, ResourceEventHandler<T> {
  private final List<String> told = new CopyOnWriteArrayList<>();
  volatile WatcherException end;
  volatile boolean hasEnded;

  @Override
  public void eventReceived(Action action, T object) {
    told.add(action == Action.BOOKMARK ? action.name() : action + " " + object.getMetadata().getName());
  }

  @Override
  public void onClose() {
    hasEnded = true;
  }

  @Override
  public void onClose(WatcherException cause) {
    end = cause;
    hasEnded = true;
  }

  @Override
  public void onAdd(T object) {
    eventReceived(Action.ADDED, object);
  }

  @Override
  public void onUpdate(T old, T object) {
    eventReceived(Action.MODIFIED, object);
  }

  @Override
  public void onDelete(T object, boolean isItsLastStateUnknown) {
    eventReceived(Action.DELETED, object);
  }

  List<String> told() {
    return List.copyOf(told);
  }

  /** Expects these, in this order, and none but these until then. */
  void are(String... events) {
    eventually(List.of(events) + ", but " + told, () -> told.size() >= events.length);
    equal(told(), List.of(events));
  }
}
