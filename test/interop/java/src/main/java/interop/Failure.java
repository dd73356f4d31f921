package interop;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Something did not come out as it should; it ends the program. */
final class Failure extends RuntimeException {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  Failure(String sentence) {
    super(sentence);
  }

  /** What went wrong, and the line of a walk that it went wrong in. */
  static String describe(RuntimeException cause) {
    var inOurs = Arrays.stream(cause.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith("interop.") && !frame.getClassName().endsWith("Failure"))
        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
        .findFirst()
        .orElse("");
    var said = Stream.iterate((Throwable) cause, each -> each != null, Throwable::getCause)
        .map(each -> each instanceof Failure ? each.getMessage() : each.toString())
        .collect(Collectors.joining("; "));
    return inOurs + ": " + said;
  }

  static void equal(Object is, Object wanted) {
    if (!Objects.equals(is, wanted)) throw new Failure(is + ", not " + wanted);
  }

  static void holds(boolean isSo, String what) {
    if (!isSo) throw new Failure("not so: " + what);
  }

  /** Expects a refusal with a code. */
  static KubernetesClientException refused(int code, Runnable call) {
    try {
      call.run();
    } catch (KubernetesClientException refusal) {
      equal(refusal.getCode(), code);
      return refusal;
    }
    throw new Failure("not refused: " + code);
  }

  /** Expects a refusal with a code, and with the reason that a Status gives. */
  static Status refused(int code, String reason, Runnable call) {
    var status = refused(code, call).getStatus();
    equal(status.getReason(), reason);
    return status;
  }

  /** Looks until something is so. */
  static void eventually(String what, BooleanSupplier isSo) {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!isSo.getAsBoolean()) {
      if (System.nanoTime() > deadline) throw new Failure("still not so: " + what);
      try {
        Thread.sleep(20);
      } catch (InterruptedException interrupted) {
        throw new Failure("interrupted");
      }
    }
  }
}
