package dev.binnacle.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.testkit.engine.EngineTestKit;

/** What needs a JVM of its own. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ChildJvmTest {
  /** Starts a server, prints its address, and stays. */
  static final class Stays {
    public static void main(String[] arguments) throws InterruptedException {
      System.out.println(BinnacleServer.start(ServerOptions.none()).url());
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  /** Runs a class of tests. */
  static final class RunsTests {
    public static void main(String[] arguments) {
      var events = EngineTestKit.engine("junit-jupiter").selectors(selectClass(Plain.class)).execute().testEvents();
      System.out.println(events.succeeded().count() + " passed");
      events.failed().stream().forEach(System.out::println);
      System.exit(0);
    }
  }

  @Binnacle
  static class Plain {
    @Test
    void aServerNeedsNoClient(BinnacleServer server) {
      assertNotNull(server.url());
    }
  }

  private static Process start(Class<?> main, Predicate<String> onClassPath) throws IOException {
    var classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(onClassPath).collect(Collectors.joining(File.pathSeparator));
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(List.of(java, "-cp", classPath, main.getName()))
        .redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  @Test
  void serversEndWithAKilledJvm() throws Exception {
    var child = start(Stays.class, path -> true);
    URI url;
    try (BufferedReader lines = child.inputReader()) {
      url = URI.create(lines.readLine());
      connect(url);
      // On Unix this is SIGKILL.
      child.destroyForcibly().waitFor();
    }
    while (listens(url)) Thread.sleep(50);
  }

  @Test
  void aProjectMayHaveNoneOfTheClients() throws Exception {
    var child = start(RunsTests.class, path -> !path.contains("kubernetes"));
    try (var lines = child.inputReader()) {
      assertEquals("1 passed", lines.lines().collect(Collectors.joining("\n")));
    }
  }

  private static void connect(URI url) throws IOException {
    new Socket(url.getHost(), url.getPort()).close();
  }

  private static boolean listens(URI url) {
    try {
      connect(url);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }
}
