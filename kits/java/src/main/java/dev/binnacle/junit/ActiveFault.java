package dev.binnacle.junit;

import com.google.gson.JsonObject;

/** A fault of a server. It stays until it is closed, or until the server ends. */
public final class ActiveFault implements AutoCloseable {
  private final BinnacleServer server;
  private final JsonObject fields = new JsonObject();

  ActiveFault(BinnacleServer server, String id) {
    this.server = server;
    fields.addProperty("fault", id);
  }

  /**
   * How often the fault has acted.
   *
   * @throws BinnacleException when it is closed
   */
  public int hits() {
    return server.call("faultHits", fields).get("hits").getAsInt();
  }

  /** Ends the fault. It may be called again. */
  @Override
  public void close() {
    server.call("removeFault", fields);
  }
}
