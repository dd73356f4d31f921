package dev.binnacle.junit;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The server of a test or of a class. It ends with that; when that has failed, its last requests are printed first.
 *
 * @param webhooks those of the class, which its tests share
 */
record OwnedServer(BinnacleServer server, Optional<Webhooks> webhooks, ExtensionContext owner)
    implements AutoCloseable {
  /** How much of the log a failure shows. */
  private static final int LOGGED_LINES = 100;

  @Override
  public void close() {
    if (owner.getExecutionException().isPresent()) System.err.println(lastRequests());
    server.close();
  }

  private String lastRequests() {
    List<String> lines;
    try {
      lines = server.log();
    } catch (BinnacleException error) {
      return "the log of " + server.url() + " cannot be read: " + error.getMessage();
    }
    var last = lines.subList(Math.max(0, lines.size() - LOGGED_LINES), lines.size());
    return "the log of " + server.url() + " ends with:\n" + String.join("\n", last);
  }
}
