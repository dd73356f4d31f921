package dev.binnacle.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

/** What failing tests leave. They run inside of these. */
class FailuresTest {
  private static final String REQUEST = "/api/v1/namespaces/default/secrets";
  private static final List<Path> FILES = new ArrayList<>();

  @Binnacle
  static class InTheTest {
    @Test
    void fails(BinnacleServer server, KubernetesClient client) {
      request(server, client);
      fail("it fails");
    }
  }

  @Binnacle
  static class InTheConstructor {
    InTheConstructor(BinnacleServer server, KubernetesClient client) {
      request(server, client);
      fail("it fails");
    }

    @Test
    void never() {}
  }

  @Binnacle
  static class AfterTheTest {
    @Test
    void passes(BinnacleServer server, KubernetesClient client) {
      request(server, client);
    }

    @AfterEach
    void fails() {
      fail("it fails");
    }
  }

  @Binnacle
  static class BeforeAllTests {
    @BeforeAll
    static void fails(BinnacleServer server, KubernetesClient client) {
      request(server, client);
      fail("it fails");
    }

    @Test
    void never() {}
  }

  @Binnacle
  static class Nowhere {
    @Test
    void passes(BinnacleServer server, KubernetesClient client) {
      request(server, client);
    }
  }

  @Binnacle
  static class WithoutWebhooks {
    @Test
    void fails(Webhooks webhooks) {}
  }

  private static void request(BinnacleServer server, KubernetesClient client) {
    FILES.add(server.kubeconfigFile());
    client.secrets().inNamespace("default").list();
  }

  /** What the tests of a class print to standard error. */
  private static String errorsOf(Class<?> tests, int failed) {
    var before = System.err;
    var errors = new ByteArrayOutputStream();
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    try {
      var events = EngineTestKit.engine("junit-jupiter").selectors(selectClass(tests)).execute().allEvents();
      assertEquals(failed, events.failed().count(), () -> events.list().toString());
    } finally {
      System.setErr(before);
    }
    return errors.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theyShowTheLastRequests() {
    for (var tests : List.of(InTheTest.class, InTheConstructor.class, AfterTheTest.class, BeforeAllTests.class)) {
      var errors = errorsOf(tests, 1);
      assertTrue(
          errors.lines().anyMatch(line -> line.contains(REQUEST) && line.contains("resp=200")),
          () -> tests + ": " + errors);
    }
  }

  @Test
  void aTestThatPassesShowsNothing() {
    assertEquals("", errorsOf(Nowhere.class, 0));
  }

  @Test
  void aMissingAnnotationIsNamed() {
    assertEquals(1, EngineTestKit.engine("junit-jupiter").selectors(selectClass(WithoutWebhooks.class)).execute()
        .testEvents().failed().stream()
        .filter(event -> event.toString().contains("@Binnacle names no webhooks")).count());
  }

  @Test
  void serversEndWithTheirTests() {
    errorsOf(InTheTest.class, 1);
    errorsOf(Nowhere.class, 0);
    assertTrue(FILES.size() >= 2);
    for (var path : FILES) assertFalse(Files.exists(path), path::toString);
  }
}
