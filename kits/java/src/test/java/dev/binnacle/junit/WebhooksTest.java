package dev.binnacle.junit;

import static dev.binnacle.junit.Testdata.create;
import static dev.binnacle.junit.Testdata.file;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A webhook server of the JDK for all tests: it refuses ConfigMaps named {@code bad}. */
@Binnacle(webhooks = "src/test/resources/webhooks")
class WebhooksTest {
  private static HttpsServer webhookServer;

  @BeforeAll
  static void serve(Webhooks webhooks) throws IOException {
    webhookServer = HttpsServer.create(new InetSocketAddress(webhooks.host(), webhooks.port()), 0);
    webhookServer.setHttpsConfigurator(new HttpsConfigurator(webhooks.sslContext()));
    webhookServer.createContext("/validate", WebhooksTest::review);
    webhookServer.start();
  }

  @AfterAll
  static void stop() {
    webhookServer.stop(0);
  }

  private static void review(HttpExchange exchange) throws IOException {
    try (exchange; var body = new InputStreamReader(exchange.getRequestBody(), StandardCharsets.UTF_8)) {
      var request = JsonParser.parseReader(body).getAsJsonObject().getAsJsonObject("request");
      var response = new JsonObject();
      response.add("uid", request.get("uid"));
      response.addProperty("allowed", !request.get("name").getAsString().equals("bad"));
      var review = new JsonObject();
      review.addProperty("apiVersion", "admission.k8s.io/v1");
      review.addProperty("kind", "AdmissionReview");
      review.add("response", response);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write(review.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void refusesBad(KubernetesClient client) {
    create(client, "good");
    var refused = assertThrows(KubernetesClientException.class, () -> create(client, "bad"));
    assertTrue(refused.getMessage().contains("admission webhook \"maps.example.com\" denied"), refused::getMessage);
  }

  @Test
  void theServersOfTestsCallIt(KubernetesClient client) {
    refusesBad(client);
  }

  @Nested
  class InANestedClass {
    @Test
    void theyDoToo(KubernetesClient client) {
      refusesBad(client);
    }
  }

  @Test
  void aServerMayListenElsewhere(BinnacleServer server) {
    var webhooks = server.installWebhooksAt("localhost", 1, file("webhooks"));
    assertEquals("localhost:1", webhooks.host() + ":" + webhooks.port());
  }
}
