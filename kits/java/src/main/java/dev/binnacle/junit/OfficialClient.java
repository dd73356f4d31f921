package dev.binnacle.junit;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.Config;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;

/** Clients of {@code io.kubernetes:client-java}. */
public final class OfficialClient {
  private OfficialClient() {}

  /** A client that acts as administrator. */
  public static ApiClient connect(BinnacleServer server) {
    try {
      return Config.fromConfig(new StringReader(server.kubeconfig()));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** A client that lets its connections and threads end. */
  record Closeable(ApiClient client) implements AutoCloseable {
    @Override
    public void close() {
      var http = client.getHttpClient();
      http.dispatcher().cancelAll();
      http.dispatcher().executorService().shutdown();
      http.connectionPool().evictAll();
    }
  }
}
