package dev.binnacle.junit;

import java.nio.file.Path;
import javax.net.ssl.SSLContext;

/**
 * What a webhook server needs to know.
 *
 * @param host where it listens
 * @param port the port that it listens on
 * @param directory a folder with {@code tls.crt}, {@code tls.key} and {@code ca.crt}; it is removed with the API server
 */
public record Webhooks(String host, int port, Path directory) {
  /** The certificate and its key, for servers that do not read PEM, such as the HttpsServer of the JDK. */
  public SSLContext sslContext() {
    return ServingCertificate.read(directory.resolve("tls.crt"), directory.resolve("tls.key"));
  }
}
