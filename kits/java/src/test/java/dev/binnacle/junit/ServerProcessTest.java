package dev.binnacle.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class ServerProcessTest {
  @TempDir Path folder;

  private List<String> script(String text) throws IOException {
    var path = Files.writeString(folder.resolve("program"), text);
    return List.of("/bin/sh", path.toString());
  }

  @Test
  void anEndedProcessSaysWhyAndIsReplaced() throws IOException {
    var command = script("read line; echo out of luck >&2; exit 3");
    var process = ServerProcess.shared(command);
    assertSame(process, ServerProcess.shared(command));
    for (var time = 0; time < 2; time++) {
      var refused = assertThrows(BinnacleException.class, () -> process.call("start", new JsonObject()));
      assertEquals("binnacle has ended: out of luck", refused.getMessage());
    }
    assertNotSame(process, ServerProcess.shared(command));
  }

  @Test
  void theEndOfALongTextIsKept() throws IOException {
    var command = script("head -c 100000 /dev/zero | tr '\\0' x >&2; echo the end >&2");
    var process = ServerProcess.shared(command);
    var message = assertThrows(BinnacleException.class, () -> process.call("start", new JsonObject())).getMessage();
    assertTrue(message.endsWith("xthe end") && message.length() < 17_000, () -> message.length() + " characters");
  }

  @Test
  void answersComeInAnyOrder() throws IOException {
    var process = ServerProcess.shared(script("""
        read a; read b
        echo noise; echo '{}'
        echo '{"id":2,"error":"no"}'; echo '{"id":1,"result":{"n":1}}'
        read c"""));
    var calls = List.of(call(process), call(process)).stream().map(ServerProcessTest::outcome).sorted().toList();
    assertEquals(List.of("no", "{\"n\":1}"), calls);
  }

  @Test
  void anInterruptEndsTheWait() throws IOException {
    var process = ServerProcess.shared(script("read a; read b"));
    Thread.currentThread().interrupt();
    var refused = assertThrows(BinnacleException.class, () -> process.call("start", new JsonObject()));
    assertTrue(Thread.interrupted(), "the thread stays interrupted");
    assertEquals("interrupted while binnacle works", refused.getMessage());
  }

  @Test
  void aProgramThatCannotRunIsNamed() {
    var refused = assertThrows(BinnacleException.class, () -> ServerProcess.shared(List.of(folder.toString())));
    assertTrue(refused.getMessage().contains(folder.toString()), refused::getMessage);
  }

  private static CompletableFuture<String> call(ServerProcess process) {
    return CompletableFuture.supplyAsync(() -> process.call("a", new JsonObject()).toString());
  }

  private static String outcome(CompletableFuture<String> call) {
    try {
      return call.join();
    } catch (CompletionException error) {
      return error.getCause().getMessage();
    }
  }
}
