package dev.binnacle.junit;

import static dev.binnacle.junit.Testdata.configMap;
import static dev.binnacle.junit.Testdata.create;
import static dev.binnacle.junit.Testdata.file;
import static dev.binnacle.junit.Testdata.names;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BinnacleServerTest {
  @Test
  void forksSeeOnlyTheirOwnWrites() {
    try (var base = BinnacleServer.start(ServerOptions.none()); var client = Fabric8Client.connect(base)) {
      create(client, "before");
      try (var first = base.fork(); var second = base.fork()) {
        assertNotEquals(first.url(), second.url());
        for (var fork : List.of(first, second)) {
          try (var ofFork = Fabric8Client.connect(fork)) {
            create(ofFork, "a");
            assertEquals(List.of("a", "before"), names(ofFork));
          }
        }
      }
      assertEquals(List.of("before"), names(client));
    }
  }

  @Test
  void aHundredForks() {
    try (var base = BinnacleServer.start(ServerOptions.none().crds(file("crds")))) {
      var forks = IntStream.range(0, 100).mapToObj(n -> CompletableFuture.supplyAsync(base::fork)).toList();
      var urls = forks.stream().map(fork -> fork.join().url()).distinct().count();
      assertEquals(100, urls);
      try (var last = forks.get(99).join(); var client = Fabric8Client.connect(last)) {
        create(client, "a");
      }
      forks.forEach(fork -> fork.join().close());
    }
  }

  @Test
  void resets() {
    try (var server = BinnacleServer.start(ServerOptions.none()); var client = Fabric8Client.connect(server)) {
      var clean = server.snapshot();
      create(client, "a");
      server.reset(clean);
      assertEquals(List.of(), names(client));
    }
  }

  @Test
  void faults() {
    try (var server = BinnacleServer.start(ServerOptions.none()); var client = withoutRetries(server)) {
      var refusal = server.injectFault(Fault.answer(503).verb("create").resource("configmaps").times(1));
      assertEquals(503, codeOf(() -> create(client, "a")));
      create(client, "a");
      assertEquals(1, refusal.hits());
      assertTrue(server.log().stream().anyMatch(line -> line.contains("resp=503")), () -> server.log().toString());
      refusal.close();
      refusal.close();
      var refused = assertThrows(BinnacleException.class, refusal::hits);
      assertTrue(refused.getMessage().contains("there is no fault"), refused::getMessage);

      try (var lost = server.injectFault(Fault.dropConnection().verb("get").name("a").times(1))) {
        assertThrows(KubernetesClientException.class, client.resource(configMap("a"))::get);
        assertEquals(1, lost.hits());
      }
      try (var slow = server.injectFault(Fault.delay(Duration.ofMillis(1)).namespace("default"))) {
        client.resource(configMap("a")).get();
        assertEquals(1, slow.hits());
      }
      var unknown = assertThrows(
          BinnacleException.class, () -> server.injectFault(Fault.action("{\"type\": \"sink\"}")));
      assertTrue(unknown.getMessage().contains("action.type: must be"), unknown::getMessage);
      assertThrows(IllegalArgumentException.class, () -> Fault.action("[]"));
      assertThrows(IllegalArgumentException.class, () -> Fault.action("{"));
    }
  }

  @Test
  void watchesExpire() throws Exception {
    try (var server = BinnacleServer.start(ServerOptions.none());
        var client = Fabric8Client.connect(server);
        var cut = server.injectFault(Fault.cutWatch(1, Fault.WatchEnding.EXPIRE).resource("configmaps"))) {
      var closed = new CompletableFuture<WatcherException>();
      var maps = client.configMaps().inNamespace("default");
      try (var watch = maps.watch(closing(closed))) {
        create(client, "a");
        assertTrue(closed.get(30, TimeUnit.SECONDS).isHttpGone());
      }
      assertEquals(1, cut.hits());
    }
  }

  @Test
  void podsRunOnSimulatedNodes() throws Exception {
    var options = ServerOptions.none().controllers("*").nodes(1);
    try (var server = BinnacleServer.start(options); var client = Fabric8Client.connect(server)) {
      client.serviceAccounts().inNamespace("default").withName("default")
          .waitUntilCondition(found -> found != null, 30, TimeUnit.SECONDS);
      var pod = new PodBuilder().withNewMetadata().withNamespace("default").withName("web").endMetadata()
          .withNewSpec().addNewContainer().withName("web").withImage("example.com/web").endContainer().endSpec()
          .build();
      client.resource(pod).create();
      client.resource(pod).waitUntilReady(30, TimeUnit.SECONDS);
      assertEquals("node-0", client.resource(pod).get().getSpec().getNodeName());
    }
  }

  @Test
  void definitionsOfTextAndOfFiles() throws IOException {
    var definition = Files.readString(file("crds/buoys.yaml"));
    try (var server = BinnacleServer.start(ServerOptions.none().crd(definition))) {
      createBuoy(server);
    }
    try (var server = BinnacleServer.start(ServerOptions.none())) {
      server.installCrds(file("crds"));
      createBuoy(server);
    }
  }

  private static void createBuoy(BinnacleServer server) {
    try (var client = Fabric8Client.connect(server)) {
      var buoy = new GenericKubernetesResource();
      buoy.setApiVersion("example.com/v1");
      buoy.setKind("Buoy");
      buoy.setMetadata(configMap("a").getMetadata());
      buoy.setAdditionalProperties(Map.of("spec", Map.of("lamps", 1)));
      assertEquals(Map.of("lamps", 1), client.resource(buoy).create().get("spec"));
    }
  }

  @Test
  void aKubeconfigFileEndsWithTheServer() throws IOException {
    var server = BinnacleServer.start(ServerOptions.none());
    var path = server.kubeconfigFile();
    assertEquals(server.kubeconfig(), Files.readString(path));
    server.close();
    server.close();
    assertFalse(Files.exists(path));
  }

  @Test
  void mistakes() {
    var mistakes = Map.of(
        ServerOptions.none().flags("--nodez=1"), "unknown option '--nodez=1'",
        ServerOptions.none().flags("--data-dir=x"), "--data-dir does not apply to a test server",
        ServerOptions.none().crds(Path.of("none")), "none: ",
        ServerOptions.none().crd("{\"kind\": \"ConfigMap\", \"apiVersion\": \"v1\"}"), "CustomResourceDefinition",
        ServerOptions.none().binary(Path.of("none")), "none does not exist");
    mistakes.forEach((options, message) -> {
      var refused = assertThrows(BinnacleException.class, () -> BinnacleServer.start(options));
      assertTrue(refused.getMessage().contains(message), refused::getMessage);
    });
  }

  /** A client that shows each refusal, where fabric8 would try again. */
  private static KubernetesClient withoutRetries(BinnacleServer server) {
    var config = Fabric8Client.config(server);
    config.setRequestRetryBackoffLimit(0);
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  private static int codeOf(Runnable request) {
    return assertThrows(KubernetesClientException.class, request::run).getCode();
  }

  private static Watcher<ConfigMap> closing(CompletableFuture<WatcherException> closed) {
    return new Watcher<>() {
      @Override
      public void eventReceived(Action action, ConfigMap map) {}

      @Override
      public void onClose(WatcherException cause) {
        closed.complete(cause);
      }
    };
  }
}
